import type { LedgerLog } from '../generated/ledger.js';
import { readBe64 } from '../storage/big-endian.js';
import type { StoreReader } from '../storage/store.js';
import type { WriteBatch } from '../storage/write-batch.js';
import type { TransactionPosition } from './keys.js';
import { decodeNumbers, encodeNumbers, indexKey, positionsUnder } from './position-index.js';

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

/** Reads the indexes by contract and by event; usable in any thread. */
export class ContractIndex {
  readonly #store: StoreReader;

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** Positions of transactions that involve a contract, below `before`, exclusive; newest first. */
  transactionsBefore(
    contract: Uint8Array,
    before: TransactionPosition,
  ): IterableIterator<TransactionPosition> {
    return positionsUnder(this.#store, 'by_contract', contract, before);
  }

  /**
   * Events at heights `from` to `to` by contract, first topic, or both, in execution order. At least one filter is
   * required.
   */
  *logs(
    contract: Uint8Array | undefined,
    topic0: Uint8Array | undefined,
    from: bigint,
    to: bigint,
  ): IterableIterator<LogPosition> {
    const prefix = logPrefix(contract, topic0);
    const range = { gte: indexKey(prefix, from), lt: indexKey(prefix, to + 1n) };
    for (const [key, value] of this.#store.scan('logs', range)) {
      const height = readBe64(key, prefix.length);
      const numbers = decodeNumbers(value);
      for (let at = 0; at + 1 < numbers.length; at += 2) {
        yield { height, txIndex: numbers[at] ?? 0, logIndex: numbers[at + 1] ?? 0 };
      }
    }
  }
}
