import type { LedgerLog } from '../../generated/ledger.js';
import type { BlockReader, StoredHeader } from '../block-store.js';
import type { ContractInterfaces } from '../contract-interfaces.js';
import type { LogPosition } from '../contract-store.js';
import type { ReceiptLogs } from '../receipt-logs.js';
import { rpcTypes } from '../rpc-codecs.js';
import { encodePartCursor } from './cursor.js';
import type { ListingSources } from './listings.js';
import { scannedLogs, scansFor } from './log-scans.js';
import { MAX_COMPILED_BYTES, MAX_FETCHED_BYTES } from './page-limits.js';
import { logView } from './receipt-json.js';

/** The listing's name in cursors. */
export const LOG_LISTING = 'get_logs';

/** A query for a page of events, in execution order. */
export interface LogQuery {
  /** 20 bytes each, all different; an empty list matches any contract. */
  readonly contracts: readonly Uint8Array[];
  /** Alternatives per topic position, 32 bytes each; an empty list matches any topic. At most four positions. */
  readonly topics: readonly (readonly Uint8Array[])[];
  /** First and last height, inclusive; both exist. */
  readonly from: bigint;
  readonly to: bigint;
  /** True if the caller asks for blocks after `to` too, which do not exist yet. */
  readonly isOpen?: boolean;
  /** The last event already returned; the page starts after it. */
  readonly after?: LogPosition;
  /** Maximum number of events in the page. */
  readonly limit: number;
  /** Maximum length of the page's JSON, in bytes; the first event is included regardless. */
  readonly maxLength: number;
  /** Filter bytes for this query's cursors. */
  readonly filter: Uint8Array;
}

/** Maximum work per page, some tens of milliseconds: index entries, or blocks and their transactions. */
const MAX_WORK = 20_000;
/** Work of reading a block's header, where an event or a transaction is 1. */
const BLOCK_WORK = 4;
/** Greater than the index of any transaction or event. */
const BLOCK_END = 0xffff_ffff;

/** The first height with events after a position. */
export function nextHeight({ height, txIndex }: LogPosition): bigint {
  return txIndex === BLOCK_END ? height + 1n : height;
}

/** JSON of GetLogsResult. Each page scans a bounded part of the chain, and the next page continues after it. */
export function getLogs(sources: ListingSources, query: LogQuery): string {
  const page = new LogPage(sources, query);
  return page.toJson(fill(sources, query, page));
}

/** One page of a query's events, as JSON, and the last position scanned, unless the range is exhausted. */
export function logsOf(
  sources: ListingSources,
  query: LogQuery,
): { readonly entries: readonly string[]; readonly last: LogPosition | undefined } {
  const page = new LogPage(sources, query);
  const done = fill(sources, query, page);
  return { entries: page.entries, last: done ? undefined : page.last };
}

/** @returns true if the range is exhausted */
function fill({ store, reader }: ListingSources, query: LogQuery, page: LogPage): boolean {
  const scans = scansFor(query);
  if (scans.length === 0) return pageOfBlocks(reader, query, page);
  const { after, to } = query;
  const from = after === undefined ? query.from : nextHeight(after);
  reader.scanned += scans.length;
  for (const place of scannedLogs(store, scans, { from, to }, after)) {
    if (page.isFull) return false;
    page.addIfMatching(place);
    if (page.hasOverflowed) return false;
  }
  return true;
}

/** Scans the blocks of the range, for queries without an index. */
function pageOfBlocks(reader: BlockReader, query: LogQuery, page: LogPage): boolean {
  const { after } = query;
  let height = after === undefined ? query.from : nextHeight(after);
  for (; height <= query.to; height += 1n) {
    if (page.isFull) return false;
    const stored = reader.header(height);
    if (stored === undefined) throw new Error(`block ${height} is not stored`);
    const begun = after?.height === height ? after : undefined;
    for (let txIndex = begun?.txIndex ?? 0; txIndex < stored.receiptCount; txIndex++) {
      const logs = page.logsOf(height, txIndex);
      const first = begun?.txIndex === txIndex ? begun.logIndex + 1 : 0;
      for (let logIndex = first; logIndex < logs.count; logIndex++) {
        if (page.isFull) return false;
        page.addIfMatching({ height, txIndex, logIndex });
        if (page.hasOverflowed) return false;
      }
    }
    page.blockScanned(height, stored.receiptCount);
  }
  return true;
}

interface LoadedTransaction {
  readonly height: bigint;
  readonly txIndex: number;
  readonly stored: StoredHeader;
  readonly logs: ReceiptLogs;
}

/** A page under construction. */
class LogPage {
  readonly #reader: BlockReader;
  readonly #query: LogQuery;
  readonly #interfaces: ContractInterfaces;
  readonly entries: string[] = [];
  #length = 0;
  #work = 0;
  readonly #fetchedBefore: number;
  readonly #compiledBefore: number;
  /** Bytes that the reader has fetched for the positions scanned so far. */
  #fetchedBytes = 0;
  /** True if an event did not fit; the next page begins with that event. */
  hasOverflowed = false;
  last: LogPosition | undefined;
  #loaded: LoadedTransaction | undefined;

  constructor({ reader, interfaces }: ListingSources, query: LogQuery) {
    this.#reader = reader;
    this.#query = query;
    this.#interfaces = interfaces;
    this.#fetchedBefore = reader.fetchedBytes;
    this.#compiledBefore = interfaces.compiledBytes;
  }

  get isFull(): boolean {
    const { limit, maxLength } = this.#query;
    if (this.#work >= MAX_WORK || this.#fetchedBytes >= MAX_FETCHED_BYTES) return true;
    if (this.#interfaces.compiledBytes - this.#compiledBefore >= MAX_COMPILED_BYTES) return true;
    return this.#length >= maxLength || this.entries.length >= limit;
  }

  /** Adds the event at a position if it matches and fits; sets {@link hasOverflowed} if it does not fit. */
  addIfMatching(place: LogPosition): void {
    this.#work++;
    this.#reader.scanned++;
    const { stored, logs } = this.#transaction(place.height, place.txIndex);
    this.#noteFetched();
    const { contracts, topics } = this.#query;
    if (place.logIndex >= logs.count) throw new Error(`${describePlace(place)} is indexed but not stored`);
    if (!logs.matches(place.logIndex, contracts, topics)) {
      this.last = place;
      return;
    }
    const log = logs.at(place.logIndex) as LedgerLog;
    const { height, txIndex: index } = place;
    const { hash: blockHash } = stored;
    const origin = { position: { height, index }, blockHash, txHash: logs.txHash, index: place.logIndex };
    const entry = rpcTypes.Log.toJson(logView(log, origin, this.#interfaces));
    const bytes = Buffer.byteLength(entry);
    if (this.entries.length > 0 && this.#length + bytes > this.#query.maxLength) {
      this.hasOverflowed = true;
      return;
    }
    this.last = place;
    this.entries.push(entry);
    this.#length += bytes + 1;
  }

  blockScanned(height: bigint, transactions: number): void {
    this.#work += BLOCK_WORK + transactions;
    this.#reader.scanned += BLOCK_WORK + transactions;
    this.#noteFetched();
    this.last = endOf(height);
  }

  #noteFetched(): void {
    this.#fetchedBytes = this.#reader.fetchedBytes - this.#fetchedBefore;
  }

  /** @param done true if the range is exhausted */
  toJson(done: boolean): string {
    const { from, to, isOpen, filter } = this.#query;
    const last = done ? endOf(to) : this.last;
    if (last === undefined) throw new Error('a page ended before it began');
    let json = `{"logs":[${this.entries.join(',')}]`;
    const searchedTo = nextHeight(last) - 1n;
    if (searchedTo >= from) json += `,"searched_to":${searchedTo}`;
    if (!done || isOpen) {
      const place = { height: last.height, index: last.txIndex };
      json += `,"next_cursor":"${encodePartCursor(LOG_LISTING, filter, place, last.logIndex)}"`;
    }
    return `${json}}`;
  }

  logsOf(height: bigint, txIndex: number): ReceiptLogs {
    return this.#transaction(height, txIndex).logs;
  }

  /** Consecutive events usually share a transaction or a block. */
  #transaction(height: bigint, txIndex: number): LoadedTransaction {
    const before = this.#loaded;
    if (before?.height === height && before.txIndex === txIndex) return before;
    const stored = before?.height === height ? before.stored : this.#reader.header(height);
    const logs = this.#reader.receiptLogs({ height, index: txIndex });
    if (stored === undefined || logs === undefined) {
      throw new Error(`block ${height}, transaction ${txIndex} is indexed but not stored`);
    }
    const loaded = { height, txIndex, stored, logs };
    this.#loaded = loaded;
    return loaded;
  }
}

function endOf(height: bigint): LogPosition {
  return { height, txIndex: BLOCK_END, logIndex: BLOCK_END };
}

function describePlace({ height, txIndex, logIndex }: LogPosition): string {
  return `block ${height}, transaction ${txIndex}: event ${logIndex}`;
}
