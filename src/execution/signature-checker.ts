import type { ChargedClient } from '../async/caller.js';
import { isSlot, type Slot, SlotPool } from '../async/slot-pool.js';
import { answerAll, chunks, type PendingItem, type ResultListener, TickBatch } from '../async/tick-batch.js';
import type { TransactionEnvelope, VerifiedTransaction } from '../ledger/transaction-envelope.js';
import { ExecutionError } from './execution-error.js';
import { encodeSignatures, type SignatureTasks, verdictAt } from './signature-batch.js';
import type { TaskWorkers } from './task-runner.js';

export interface SignatureCheckerOptions {
  /** Maximum number of signatures waiting or in flight; further ones are refused as overloaded. */
  readonly maxWaiting?: number;
}

/** About 0.6 s of work for one core. */
const DEFAULT_MAX_WAITING = 16_384;
/** Minimum signatures per task: the hop to a worker costs about as much as one signature. */
const MIN_TASK_ITEMS = 16;
/** Maximum signatures per task, so that it does not delay the work queued behind it: 256 take about 10 ms. */
const MAX_TASK_ITEMS = 256;

/** One running and one queued. While all are in flight, signatures gather, so that tasks grow under load. */
const TASKS_PER_WORKER = 2;

interface WaitingSignature {
  readonly transaction: TransactionEnvelope;
  readonly place: Slot;
}

/**
 * Verifies signatures in the workers. Those of one event loop tick, or that come while the workers are busy, are
 * divided evenly among the workers. Results come in any order.
 */
export class SignatureChecker {
  readonly #pool: TaskWorkers<SignatureTasks>;
  readonly #maxWaiting: number;
  readonly #gathered = new TickBatch<WaitingSignature, VerifiedTransaction | undefined>(() => this.#send());
  readonly #slots = new SlotPool();
  #tasks = 0;

  constructor(pool: TaskWorkers<SignatureTasks>, options: SignatureCheckerOptions = {}) {
    this.#pool = pool;
    this.#maxWaiting = options.maxWaiting ?? DEFAULT_MAX_WAITING;
  }

  get waiting(): number {
    return this.#slots.used;
  }

  /**
   * Returns the transaction marked as verified, or undefined if the signature is invalid or not the sender's.
   * @throws ExecutionError `overloaded` at once if too many wait, in all or for the client; `worker_died`, `stopped`
   */
  verify(transaction: TransactionEnvelope, client?: ChargedClient): Promise<VerifiedTransaction | undefined> {
    return new Promise((resolve, reject) => this.ask(transaction, client, { resolve, reject }));
  }

  /** Like {@link verify}, for a listener, which must not throw. */
  ask(
    transaction: TransactionEnvelope,
    client: ChargedClient,
    { resolve, reject }: ResultListener<VerifiedTransaction | undefined>,
  ): void {
    const place = this.#slots.tryAcquire(this.#maxWaiting, client);
    if (isSlot(place)) {
      this.#gathered.push({ item: { transaction, place }, resolve, reject });
      return;
    }
    const message = `${this.waiting} of at most ${this.#maxWaiting} signatures are already waiting`;
    reject(new ExecutionError('overloaded', message));
  }

  #send(): void {
    const free = this.#pool.workers * TASKS_PER_WORKER - this.#tasks;
    const { size: count } = this.#gathered;
    if (free <= 0 || count === 0) return;
    const parts = Math.min(this.#pool.workers, Math.ceil(count / MIN_TASK_ITEMS), free);
    const size = Math.min(MAX_TASK_ITEMS, Math.ceil(count / parts));
    for (const part of chunks(this.#gathered.take(size * free), size)) void this.#check(part);
  }

  /** Never rejects: errors go to the callers. */
  #check(part: readonly PendingItem<WaitingSignature, VerifiedTransaction | undefined>[]): Promise<void> {
    return answerAll(part, async (asked) => {
      this.#tasks++;
      try {
        const transactions = asked.map(({ transaction }) => transaction);
        const verdicts = await this.#pool.run('verify_signatures', encodeSignatures(transactions));
        return transactions.map((transaction, place) =>
          verdictAt(verdicts, place) ? (transaction as VerifiedTransaction) : undefined,
        );
      } finally {
        for (const { place } of asked) this.#slots.release(place);
        this.#tasks--;
        this.#send();
      }
    });
  }
}
