import type { LedgerLog } from '../generated/ledger.js';
import { readBe64 } from '../storage/big-endian.js';
import type { StoreReader } from '../storage/store.js';
import type { WriteBatch } from '../storage/write-batch.js';
import { encodeNumbers, indexKey } from './position-index.js';

/*
 * Indexes by contract and by event, one entry per block:
 *
 *   by_contract   contract20 ‖ be64(height) → be32(index) of each transaction that involves the contract
 *   logs          prefix ‖ be64(height) → be32(transaction index) ‖ be32(log index) of each event, ascending,
 *                 under the prefixes 'c' ‖ contract20, 't' ‖ topic0, and 'b' ‖ contract20 ‖ topic0
 */

/** Position of an event: its block, its transaction's index in the block, and its index in the transaction. */
export interface LogPosition {
  readonly height: bigint;
  readonly txIndex: number;
  readonly logIndex: number;
}

export function appendContractIndexes(
  batch: WriteBatch,
  height: bigint,
  involved: ReadonlyMap<string, readonly number[]>,
  events: readonly { readonly index: number; readonly logs: readonly LedgerLog[] }[],
): void {
  for (const [contract, indexes] of involved) {
    batch.put('by_contract', indexKey(Buffer.from(contract, 'hex'), height), encodeNumbers(indexes));
  }
  const byPrefix = new Map<string, { prefix: Uint8Array; places: number[] }>();
  for (const { index, logs } of events) {
    logs.forEach((log, logIndex) => {
      for (const prefix of logPrefixes(log)) {
        const name = Buffer.from(prefix).toString('latin1');
        const entry = byPrefix.get(name) ?? { prefix, places: [] };
        byPrefix.set(name, entry);
        entry.places.push(index, logIndex);
      }
    });
  }
  for (const { prefix, places } of byPrefix.values()) {
    batch.put('logs', indexKey(prefix, height), encodeNumbers(places));
  }
}

function logPrefixes({ contract, topics }: LedgerLog): Uint8Array[] {
  const [topic0] = topics;
  if (topic0 === undefined) return [logPrefix(contract, undefined)];
  return [logPrefix(contract, undefined), logPrefix(undefined, topic0), logPrefix(contract, topic0)];
}

/** Prefix in `logs` of the events with a given contract, first topic, or both. */
function logPrefix(contract: Uint8Array | undefined, topic0: Uint8Array | undefined): Uint8Array {
  const kind = contract === undefined ? 't' : topic0 === undefined ? 'c' : 'b';
  return Buffer.concat([Buffer.from(kind), contract ?? new Uint8Array(0), topic0 ?? new Uint8Array(0)]);
}

/**
 * Events of a range of heights, inclusive, by contract, first topic, or both, in execution order; not without a
 * filter.
 * @param after the position before the first event
 */
export function* indexedLogs(
  store: StoreReader,
  { contract, topic0 }: { readonly contract?: Uint8Array; readonly topic0?: Uint8Array },
  { from, to }: { readonly from: bigint; readonly to: bigint },
  after?: LogPosition,
): IterableIterator<LogPosition> {
  const prefix = logPrefix(contract, topic0);
  const range = { gte: indexKey(prefix, from), lt: indexKey(prefix, to + 1n) };
  for (const [key, value] of store.scan('logs', range)) {
    const height = readBe64(key, prefix.length);
    const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
    for (let at = after?.height === height ? entryAfter(view, after) : 0; at < view.byteLength; at += 8) {
      yield { height, txIndex: view.getUint32(at), logIndex: view.getUint32(at + 4) };
    }
  }
}

/** Offset of a block's first entry after a position, by bisection: a page may begin behind tens of thousands. */
function entryAfter(entries: DataView, { txIndex, logIndex }: LogPosition): number {
  let low = 0;
  let high = entries.byteLength / 8;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const tx = entries.getUint32(8 * middle);
    const isAfter = tx === txIndex ? entries.getUint32(8 * middle + 4) > logIndex : tx > txIndex;
    if (isAfter) high = middle;
    else low = middle + 1;
  }
  return 8 * low;
}
