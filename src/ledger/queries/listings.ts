import type { ListBlocksResult, ListTxsResult } from '../../generated/node-rpc-v1.js';
import type { BlockReader } from '../block-store.js';
import type { TransactionPlace } from '../keys.js';
import { blockSummary } from './block-summary.js';
import { encodeCursor } from './cursor.js';
import { readIncluded, txSummary } from './tx-summary.js';

/** A page of a listing, newest first: the `limit` entries before `before`, which is not included. */
export interface Page {
  readonly before: TransactionPlace;
  readonly limit: number;
}

const NO_FILTER = new Uint8Array(0);

/** Blocks below a height, newest first. */
export function listBlocks(reader: BlockReader, page: Page, finalizedHeight: bigint): ListBlocksResult {
  const heights: bigint[] = [];
  let height = page.before.height;
  while (height > 0n && heights.length < page.limit) {
    height -= 1n;
    heights.push(height);
  }
  const blocks = reader.headers(heights).map((stored) => blockSummary(stored, finalizedHeight));
  const more = height > 0n && blocks.length === page.limit;
  return {
    blocks,
    ...(more ? { next_cursor: encodeCursor('list_blocks', NO_FILTER, { height, index: 0 }) } : {}),
  };
}

/** Included transactions before a place, newest first; of one sender where it is given. */
export function listTransactions(
  reader: BlockReader,
  page: Page,
  sender: Uint8Array | undefined,
): ListTxsResult {
  const all =
    sender === undefined
      ? reader.placesBefore(page.before)
      : reader.placesOfSenderBefore(sender, page.before);
  // One more than asked for tells whether this is the last page.
  const places = take(all, page.limit + 1);
  const transactions = [...readIncluded(reader, places.slice(0, page.limit))].map(txSummary);
  const last = places[page.limit - 1];
  const more = places.length > page.limit && last !== undefined;
  const listing = sender === undefined ? 'list_txs' : 'list_txs_by_sender';
  return {
    transactions,
    ...(more ? { next_cursor: encodeCursor(listing, sender ?? NO_FILTER, last) } : {}),
  };
}

function take<T>(source: Iterable<T>, count: number): T[] {
  const taken: T[] = [];
  for (const item of source) {
    taken.push(item);
    if (taken.length === count) break;
  }
  return taken;
}
