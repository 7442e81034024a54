import type { ListContractsResult } from '../../generated/node-rpc-v1.js';
import { contractsByName, type NamedContract } from '../contract-names.js';
import { encodeKeyCursor } from './cursor.js';
import type { ListingSources } from './listings.js';

/** The listing's name in cursors. */
export const CONTRACT_LISTING = 'list_contracts';

/** A query for a page of the contracts whose names begin with some letters. */
export interface ContractQuery {
  readonly prefix: string;
  /** Key of the last entry of the page before. */
  readonly after?: Uint8Array;
  readonly limit: number;
  /** Filter bytes for this query's cursors. */
  readonly filter: Uint8Array;
}

/** Maximum number of entries that a page reads; those of replaced interfaces are not listed. */
const MAX_SCANNED = 2_000;

export function listContracts(
  { store, reader }: Pick<ListingSources, 'store' | 'reader'>,
  { prefix, after, limit, filter }: ContractQuery,
): ListContractsResult {
  const found: NamedContract[] = [];
  let scanned = 0;
  let last: Uint8Array | undefined;
  let next: Uint8Array | undefined;
  for (const { key, contract } of contractsByName(store, prefix, after)) {
    if (found.length === limit || scanned === MAX_SCANNED) {
      next = last;
      break;
    }
    scanned++;
    reader.scanned++;
    last = key;
    if (contract !== undefined) found.push(contract);
  }
  return {
    contracts: found.map(({ address, name, record: { deployer, deployed_at } }) => ({
      contract: address,
      name,
      deployer,
      deployed_at,
    })),
    ...(next !== undefined && { next_cursor: encodeKeyCursor(CONTRACT_LISTING, filter, next) }),
  };
}
