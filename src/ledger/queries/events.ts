import type { BlockReader } from '../block-store.js';
import { EventBloom } from '../event-bloom.js';
import type { ReceiptLogs } from '../receipt-logs.js';
import { rpcTypes } from '../rpc-codecs.js';
import { blockSummary } from './block-summary.js';
import type { ListingSources } from './listings.js';
import { type LogQuery, logsOf } from './logs.js';

/** Separates the parts of {@link readEvents}; JSON text contains no such character. */
export const EVENT_SEPARATOR = '\u001e';

/** A query for some events of a subscription, in order. */
export interface EventQuery extends Omit<LogQuery, 'filter'> {
  readonly of: 'blocks' | 'logs';
  readonly finalizedHeight: bigint;
}

/**
 * Reads events. Returns parts joined by {@link EVENT_SEPARATOR}. The first part is the position to continue from: the
 * next height, or the height, transaction index and log index of the last log scanned, separated by spaces. Each
 * further part is an event: the JSON of a BlockSummary or of a Log.
 */
export function readEvents(sources: ListingSources, query: EventQuery): string {
  const parts = query.of === 'blocks' ? blocks(sources.reader, query) : logs(sources, query);
  return parts.join(EVENT_SEPARATOR);
}

/** The Bloom filter of a stored block's events, encoded. */
export function readEventBloom(reader: BlockReader, height: bigint): string {
  const stored = reader.header(height);
  if (stored === undefined) throw new Error(`block ${height} is not stored`);
  const receipts: ReceiptLogs[] = [];
  for (let index = 0; index < stored.receiptCount; index++) {
    const logs = reader.receiptLogs({ height, index });
    if (logs !== undefined) receipts.push(logs);
  }
  return EventBloom.of(receipts).encode();
}

function blocks(reader: BlockReader, { from, to, limit, maxLength, finalizedHeight }: EventQuery): string[] {
  const end = from + BigInt(limit) - 1n;
  const heights: bigint[] = [];
  for (let height = from; height <= to && height <= end; height += 1n) heights.push(height);
  const entries: string[] = [];
  let length = 0;
  for (const stored of reader.headers(heights)) {
    const entry = rpcTypes.BlockSummary.toJson(blockSummary(stored, finalizedHeight));
    length += entry.length;
    if (entries.length > 0 && length > maxLength) break;
    entries.push(entry);
  }
  return [`${from + BigInt(entries.length)}`, ...entries];
}

function logs(sources: ListingSources, query: EventQuery): string[] {
  const { entries, last } = logsOf(sources, { ...query, filter: NO_FILTER });
  if (last === undefined) return [`${query.to + 1n}`, ...entries];
  return [`${last.height} ${last.txIndex} ${last.logIndex}`, ...entries];
}

/** Part of encoded cursors; this query encodes none. */
const NO_FILTER = new Uint8Array(0);
