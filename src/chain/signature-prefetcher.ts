import type { TransactionEnvelope, VerifiedTransaction } from '../ledger/transaction-envelope.js';

/** Signatures that are checked before their blocks' turn, unless a block alone has more: some 0.2 s of one core's work. */
const MAX_PREFETCHED = 4_096;

/** Gives the transaction back where the signature is the sender's over its hash. */
type Verify = (transaction: TransactionEnvelope) => Promise<VerifiedTransaction | undefined>;

/** Has the signatures of blocks checked before it is their turn to be executed. A verdict belongs to the very object it was given for. */
export class SignaturePrefetcher {
  readonly #verify: Verify;
  readonly #verdicts = new WeakMap<TransactionEnvelope, ReturnType<Verify>>();
  /** Whose turn comes, block by block. */
  readonly #waiting: (readonly TransactionEnvelope[])[] = [];
  #inFlight = 0;

  constructor(verify: Verify) {
    this.#verify = verify;
  }

  /** Checks the signatures of a block to come as soon as those of the blocks before it are not too many. */
  expect(transactions: readonly TransactionEnvelope[]): void {
    this.#waiting.push(transactions);
    this.#startNext();
  }

  /** The verdict that there is or is to come, else one of now. */
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
        // It was no fault of the transaction: it is checked again when its block's turn comes.
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
