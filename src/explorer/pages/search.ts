import { fromHex } from '../../idl/hex.js';
import { heightOfBlock } from '../node/block-height.js';
import { client } from '../node/connection.js';
import { addressLink, blockLink, transactionLink } from '../routing/route.js';
import { parseQuery } from '../text/search.js';

/** Result of a search: a page, or a message. */
export type Found = { readonly link: string } | { readonly message: string };

/** Finds the page of a height, a hash or an address. @throws the errors of the client */
export async function search(text: string): Promise<Found> {
  const query = parseQuery(text);
  switch (query.kind) {
    case 'unclear':
      return { message: query.message };
    case 'height':
      return { link: blockLink(query.height) };
    case 'address':
      return { link: addressLink(query.hex) };
    case 'hash':
      return searchHash(query.hex, fromHex(query.hex, 0) ?? new Uint8Array(32));
  }
}

async function searchHash(hex: string, hash: Uint8Array): Promise<Found> {
  const { status, oldest_height } = await client.value.tx_by_hash({ tx_hash: hash });
  if (status.type !== 'not_found') return { link: transactionLink(hex) };
  const height = await heightOfBlock(client.value, hash);
  if (height !== undefined) return { link: blockLink(height) };
  const since =
    oldest_height === undefined ? '' : ` It knows transactions and blocks from block ${oldest_height} on.`;
  return { message: `The node knows no transaction and no block with this hash.${since}` };
}
