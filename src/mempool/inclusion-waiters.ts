import type { VerifiedTransaction } from '../ledger/verified-transaction.js';

/** Callers who wait for transactions to be in a block. */
export class InclusionWaiters {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** How many transactions are waited for. */
  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Resolves once the transaction's fate is decided, it is in a committed block or has left the pool, or when
   * `timeoutMs` are over.
   * @param hashHex 64 lowercase hex digits
   */
  wait(hashHex: string, timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const waiters = this.#waiting.get(hashHex) ?? new Set();
      this.#waiting.set(hashHex, waiters);
      const done = () => {
        clearTimeout(timer);
        waiters.delete(done);
        if (waiters.size === 0) this.#waiting.delete(hashHex);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      waiters.add(done);
    });
  }

  /** Tells that the fate of these transactions is decided. */
  settle(transactions: Iterable<Pick<VerifiedTransaction, 'hashHex'>>): void {
    if (this.#waiting.size === 0) return;
    for (const { hashHex } of transactions) {
      for (const done of this.#waiting.get(hashHex) ?? []) done();
    }
  }

  /** Lets everybody go, for the node stops. */
  settleAll(): void {
    for (const waiters of this.#waiting.values()) {
      for (const done of waiters) done();
    }
  }
}
