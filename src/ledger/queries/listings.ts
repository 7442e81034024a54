import { checkAnswerSize, maxAnswerBytes } from '../../base/answer-limit.js';
import type { ListBlocksResult } from '../../generated/node-rpc-v1.js';
import type { StoreReader } from '../../storage/store.js';
import type { BlockReader } from '../block-store.js';
import type { ContractInterfaces } from '../contract-interfaces.js';
import { type PaymentPosition, paymentsBefore } from '../payment-index.js';
import { positionsUnder, type TransactionPosition } from '../position-index.js';
import { rpcTypes } from '../rpc-codecs.js';
import { blockSummary } from './block-summary.js';
import { encodeCursor } from './cursor.js';
import { MAX_COMPILED_BYTES, MAX_FETCHED_BYTES } from './page-limits.js';
import { readIncluded, txSummary } from './tx-summary.js';

/**
 * A page of a listing, newest first: the `limit` entries before `before`, exclusive. If the first stored block is not
 * block 0, a page that reaches it has a cursor to below it, where a request fails: nothing is stored there.
 */
export interface Page {
  readonly before: TransactionPosition;
  readonly limit: number;
  /** The lowest stored height. */
  readonly firstHeight: bigint;
}

const NO_FILTER = new Uint8Array(0);

/** Blocks below a height, newest first, down to the first stored block. */
export function listBlocks(reader: BlockReader, page: Page, finalizedHeight: bigint): ListBlocksResult {
  const { firstHeight } = page;
  const heights: bigint[] = [];
  let height = page.before.height;
  while (height > firstHeight && heights.length < page.limit) {
    height -= 1n;
    heights.push(height);
  }
  const blocks = reader.headers(heights).map((stored) => blockSummary(stored, finalizedHeight));
  const more = blocks.length > 0 && (firstHeight > 0n || (height > 0n && blocks.length === page.limit));
  return {
    blocks,
    ...(more ? { next_cursor: encodeCursor('list_blocks', NO_FILTER, { height, index: 0 }) } : {}),
  };
}

/** Selects transactions by sender, contract involved, or recipient paid (20 bytes each); all if empty. */
export interface TransactionFilter {
  readonly sender?: Uint8Array;
  readonly contract?: Uint8Array;
  readonly recipient?: Uint8Array;
}

/** The position of a listed transaction, and what the recipient received in a listing by recipient. */
type ListedPosition = TransactionPosition & Partial<PaymentPosition>;

export interface ListingSources {
  readonly store: StoreReader;
  /** A reader of the same store. */
  readonly reader: BlockReader;
  readonly interfaces: ContractInterfaces;
}

/** Bytes reserved for the JSON around a page's entries. */
const FRAMING = 1_024;

/** JSON of ListTxsResult: included transactions, newest first. A page ends early at the response limits. */
export function listTransactions(
  { store, reader, interfaces }: ListingSources,
  page: Page,
  { sender, contract, recipient }: TransactionFilter,
): string {
  let listing = 'list_txs';
  let all: Iterable<ListedPosition> = reader.positionsBefore(page.before);
  if (sender !== undefined) {
    listing = 'list_txs_by_sender';
    all = positionsUnder(store, 'by_sender', sender, page.before);
  } else if (contract !== undefined) {
    listing = 'list_txs_by_contract';
    all = positionsUnder(store, 'by_contract', contract, page.before);
  } else if (recipient !== undefined) {
    listing = 'list_txs_by_recipient';
    all = paymentsBefore(store, recipient, page.before);
  }
  const fetchedBefore = reader.fetchedBytes;
  const isLong = (since: number): boolean => reader.fetchedBytes - since >= MAX_FETCHED_BYTES;
  // One more than requested, to detect the last page.
  const { taken: places, isCut } = take(all, page.limit + 1, () => isLong(fetchedBefore));
  const maxBytes = maxAnswerBytes() - FRAMING;
  let text = '';
  let length = 0;
  let last: TransactionPosition | undefined;
  let shown = 0;
  const placesFetched = reader.fetchedBytes;
  const compiledBefore = interfaces.compiledBytes;
  for (const each of readIncluded(reader, places.slice(0, page.limit))) {
    const received = places[shown]?.received;
    const summary = txSummary(each, interfaces);
    const entry = rpcTypes.TxSummary.toJson(received === undefined ? summary : { ...summary, received });
    const bytes = Buffer.byteLength(entry) + 1;
    if (last !== undefined && length + bytes > maxBytes) break;
    text += last === undefined ? entry : `,${entry}`;
    length += bytes;
    checkAnswerSize(length);
    last = each.position;
    shown++;
    if (isLong(placesFetched) || interfaces.compiledBytes - compiledBefore >= MAX_COMPILED_BYTES) break;
  }
  // A listing that continues below the first stored block has another page.
  const below =
    places.length === 0 || page.firstHeight === 0n ? undefined : { height: page.firstHeight, index: 0 };
  const next = isCut || shown < places.length ? last : below;
  const cursor =
    next === undefined
      ? ''
      : `,"next_cursor":${JSON.stringify(encodeCursor(listing, sender ?? contract ?? recipient ?? NO_FILTER, next))}`;
  return `{"transactions":[${text}]${cursor}}`;
}

/** Takes up to `count` items. Stops early, with `isCut` set, once `isEnough` returns true. */
function take<T>(
  source: Iterable<T>,
  count: number,
  isEnough: () => boolean,
): { taken: T[]; isCut: boolean } {
  const taken: T[] = [];
  for (const item of source) {
    taken.push(item);
    if (taken.length === count) break;
    if (isEnough()) return { taken, isCut: true };
  }
  return { taken, isCut: false };
}
