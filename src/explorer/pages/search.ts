import { RpcCallError } from '../../client/client.js';
import { fromHex } from '../../idl/hex.js';
import { client } from '../node/connection.js';
import { addressLink, blockLink, transactionLink } from '../routing/route.js';
import { parseQuery } from '../text/search.js';

/** Result of a search: a page, or a message. */
export type Found = { readonly link: string } | { readonly message: string };

const ZERO = new Uint8Array(20);

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
  const { status } = await client.value.tx_by_hash({ tx_hash: hash });
  if (status.type !== 'not_found') return { link: transactionLink(hex) };
  try {
    // The methods that list blocks take heights only; a state proof gives the height of a block hash.
    const { header } = await client.value.state_proof({ contract: ZERO, at: { type: 'hash', value: hash } });
    return { link: blockLink(header.height) };
  } catch (error) {
    if (!(error instanceof RpcCallError)) throw error;
    if (error.kind === 'not_found') {
      return { message: 'The node knows no transaction and no block with this hash.' };
    }
    if (error.kind === 'state_unavailable') {
      return { message: 'This is the hash of an old block, which this node finds only by height.' };
    }
    throw error;
  }
}
