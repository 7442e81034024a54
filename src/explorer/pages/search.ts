import type { NamedContract } from '../../generated/node-rpc-v1.js';
import { fromHex, toHex } from '../../idl/hex.js';
import { heightOfBlock } from '../node/block-height.js';
import { client } from '../node/connection.js';
import { addressLink, blockLink, transactionLink } from '../routing/route.js';
import { parseQuery } from '../text/search.js';

/** Contracts whose names begin alike. Anyone can choose a name, so none of them is the one that is meant. */
export interface FoundContracts {
  readonly name: string;
  readonly contracts: readonly NamedContract[];
  /** Set if there are more. */
  readonly next: string | undefined;
}

/** Result of a search: a page, contracts to choose from, or a message. */
export type Found = { readonly link: string } | FoundContracts | { readonly message: string };

/** Contracts asked for at once. */
const LIMIT = 10;

/** Finds the page of a height, a hash, an address or a name. @throws the errors of the client */
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
    case 'validator':
      return searchValidator(query.index);
    case 'name':
      return searchName(query.name);
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

async function searchValidator(index: number): Promise<Found> {
  const { validator_set } = await client.value.status();
  const found = validator_set.validators.find((each) => each.index === index);
  if (found !== undefined) return { link: addressLink(toHex(found.address)) };
  return { message: `There is no validator ${index}; the chain has ${validator_set.validators.length}.` };
}

async function searchName(name: string): Promise<Found> {
  const found = await contractsNamed(name);
  if (found.contracts.length > 0 || found.next !== undefined) return found;
  return {
    message: `The node knows no contract whose name begins with ${name}. A block height, a hash or an address is found, too.`,
  };
}

/** One page of the contracts whose names begin with some letters. @throws the errors of the client */
export async function contractsNamed(name: string, cursor?: string): Promise<FoundContracts> {
  const { contracts, next_cursor } = await client.value.list_contracts({
    name,
    limit: LIMIT,
    ...(cursor !== undefined && { cursor }),
  });
  return { name, contracts, next: next_cursor };
}
