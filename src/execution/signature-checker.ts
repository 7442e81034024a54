import type { Client } from '../async/caller.js';
import { FairSlots, isSlot, type Slot } from '../async/fair-slots.js';
import { answerAll, chunks, type PendingItem, TickBatch } from '../async/tick-batch.js';
import type { TransactionEnvelope, VerifiedTransaction } from '../ledger/transaction-envelope.js';
import { ExecutionError } from './execution-error.js';
import { encodeSignatures, type SignatureTasks, verdictAt } from './signature-batch.js';
import type { TaskWorkers } from './task-runner.js';

export interface SignatureCheckerOptions {
  /** How many signatures may wait or be under way; more are refused as overloaded. */
  readonly maxWaiting?: number;
}

/** Some 0.6 s of one core's work. */
const DEFAULT_MAX_WAITING = 16_384;
/** Below this many a task is not worth dividing: a hop to a worker costs about as much as one signature. */
const MIN_TASK_ITEMS = 16;
/** Above this many a task holds up what waits behind it: 256 signatures take about 10 ms. */
const MAX_TASK_ITEMS = 256;

/**
 * Tasks that a worker has at a time: one to work on and one to go on with. While all have theirs, what comes in is gathered:
 * under load tasks grow by themselves, and the cost of a hop is shared by more.
 */
const TASKS_PER_WORKER = 2;

interface WaitingSignature {
  readonly transaction: TransactionEnvelope;
  readonly place: Slot;
}

/**
 * Checks signatures in the workers. Whatever is asked in one turn of the event loop, or while the workers are busy, travels
 * together, divided evenly over the workers. Answers come in any order.
 */
export class SignatureChecker {
  readonly #pool: TaskWorkers<SignatureTasks>;
  readonly #maxWaiting: number;
  readonly #gathered = new TickBatch<WaitingSignature, VerifiedTransaction | undefined>(() => this.#send());
  readonly #slots = new FairSlots();
  /** Tasks under way. */
  #tasks = 0;

  constructor(pool: TaskWorkers<SignatureTasks>, options: SignatureCheckerOptions = {}) {
    this.#pool = pool;
    this.#maxWaiting = options.maxWaiting ?? DEFAULT_MAX_WAITING;
  }

  /** How many signatures wait or are under way. */
  get waiting(): number {
    return this.#slots.used;
  }

  /**
   * The transaction as one with a good signature; undefined where it is not good, or not the sender's.
   * @param client who asks; left out, the node itself
   * @throws ExecutionError `overloaded` at once where too many wait already, or too many of the client; `worker_died` or `stopped`
   *   where no worker could check it
   */
  verify(transaction: TransactionEnvelope, client?: Client): Promise<VerifiedTransaction | undefined> {
    const place = this.#slots.tryAcquire(this.#maxWaiting, client);
    if (isSlot(place)) return this.#gathered.add({ transaction, place });
    return Promise.reject(
      new ExecutionError(
        'overloaded',
        `${this.waiting} of at most ${this.#maxWaiting} signatures wait already`,
      ),
    );
  }

  #send(): void {
    const free = this.#pool.workers * TASKS_PER_WORKER - this.#tasks;
    const { size: count } = this.#gathered;
    if (free <= 0 || count === 0) return;
    const parts = Math.min(this.#pool.workers, Math.ceil(count / MIN_TASK_ITEMS), free);
    const size = Math.min(MAX_TASK_ITEMS, Math.ceil(count / parts));
    for (const part of chunks(this.#gathered.take(size * free), size)) void this.#check(part);
  }

  /** Never rejects: whoever asked is told instead. */
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
