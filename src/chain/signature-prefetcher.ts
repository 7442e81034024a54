import type { TransactionEnvelope, VerifiedTransaction } from '../ledger/transaction-envelope.js';

/** Maximum number of signatures verified ahead, unless a single block has more: about 0.2 s of work on one core. */
const MAX_PREFETCHED = 4_096;

/** Returns the transaction if its signature over its hash is the sender's. */
type Verify = (transaction: TransactionEnvelope) => Promise<VerifiedTransaction | undefined>;

/**
 * Verifies the signatures of blocks ahead of their execution. A verdict belongs to one transaction object, not to its
 * hash.
 */
export class SignaturePrefetcher {
  readonly #verify: Verify;
  readonly #verdicts = new WeakMap<TransactionEnvelope, ReturnType<Verify>>();
  /** Transactions to verify, block by block. */
  readonly #waiting: (readonly TransactionEnvelope[])[] = [];
  #inFlight = 0;

  constructor(verify: Verify) {
    this.#verify = verify;
  }

  /** Queues a future block; verification starts when the limit of signatures in flight allows. */
  expect(transactions: readonly TransactionEnvelope[]): void {
    this.#waiting.push(transactions);
    this.#startNext();
  }

  /** Returns the prefetched or pending verdict, or verifies now. */
  verify(transaction: TransactionEnvelope): ReturnType<Verify> {
    return this.#verdicts.get(transaction) ?? this.#verify(transaction);
  }

  #startNext(): void {
    while (this.#inFlight < MAX_PREFETCHED) {
      const transactions = this.#waiting.shift();
      if (transactions === undefined) return;
      for (const transaction of transactions) this.#begin(transaction);
    }
  }

  #begin(transaction: TransactionEnvelope): void {
    const verdict = this.#verify(transaction);
    this.#verdicts.set(transaction, verdict);
    this.#inFlight++;
    verdict.then(
      () => this.#end(),
      () => {
        // The failure was not the transaction's fault: it is verified again when its block executes.
        this.#verdicts.delete(transaction);
        this.#end();
      },
    );
  }

  #end(): void {
    this.#inFlight--;
    this.#startNext();
  }
}
