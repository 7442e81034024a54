import type { TransactionEnvelope } from '../../ledger/transaction-envelope.js';
import type { SealedStats } from '../pool-types.js';

/** Counts the envelopes of a pool. Updates cost O(1), reading O(distinct opening heights). */
export class SealedCount {
  readonly #heights = new Map<bigint, number>();
  #size = 0;
  #bytes = 0;

  get stats(): SealedStats {
    let next: bigint | undefined;
    for (const height of this.#heights.keys()) if (next === undefined || height < next) next = height;
    return { size: this.#size, bytes: this.#bytes, nextOpenHeight: next };
  }

  add(transaction: TransactionEnvelope): void {
    this.#count(transaction, 1);
  }

  remove(transaction: TransactionEnvelope): void {
    this.#count(transaction, -1);
  }

  #count({ signed, encoded }: TransactionEnvelope, change: 1 | -1): void {
    const { action } = signed.transaction;
    if (action.type !== 'sealed') return;
    const { opens_at: height } = action.value.header;
    const count = (this.#heights.get(height) ?? 0) + change;
    if (count === 0) this.#heights.delete(height);
    else this.#heights.set(height, count);
    this.#size += change;
    this.#bytes += change * encoded.length;
  }
}
