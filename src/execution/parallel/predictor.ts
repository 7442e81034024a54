import type { AddressHex } from '../../ledger/hex-types.js';
import type { TransactionEnvelope } from '../../ledger/transaction-envelope.js';
import type { BlockEnvironment } from '../block-environment.js';
import { Cancellation } from '../cancellation.js';
import { ExecutionError } from '../execution-error.js';
import type { TaskWorkers } from '../task-runner.js';
import {
  decodePredictions,
  encodeTransactions,
  type PredictionInput,
  type PredictionTasks,
} from './predict.js';
import type { Prediction, Predictions } from './predictions.js';

export interface PredictorOptions {
  /** `load` is how many tasks wait or run. */
  readonly pool: TaskWorkers<PredictionTasks> & { readonly load: number };
  /** The next block's environment, as far as it is known. */
  readonly environment: () => BlockEnvironment;
  /** Whether a transaction is tried, asked when it comes and again when its turn comes; all are, if absent. */
  readonly shouldPredict?: (transaction: TransactionEnvelope) => boolean;
  /** Told of the transactions that are about to be tried, and with none that they were. */
  readonly onPredict?: (transactions: readonly TransactionEnvelope[]) => void;
  /** Told of a batch that could not be tried, other than for the pool's end. */
  readonly onError: (error: unknown) => void;
  /** How long a batch may take, milliseconds; left out, {@link MAX_BATCH_MS}. */
  readonly maxBatchMs?: number;
}

/** Transactions that travel together. */
const BATCH = 64;
/** More that wait are not predicted: blocks do without, and the workers have better to do. */
const MAX_WAITING = 1_024;
/** Where half of the places are taken, an account has no more than these. */
const MAX_PER_SENDER = 64;
/**
 * A batch may take so long, milliseconds; its worker stops by itself long before, unless one never ends. With a single
 * worker signatures and blocks wait behind it.
 */
const MAX_BATCH_MS = 5_000;
/** Deployments take long to try, and touch little that is not known without. */
const TRIED = new Set(['call', 'batch']);

/**
 * Has contract calls tried that have come into the pool, and remembers what they touched for as long as they are in it.
 * Only idle workers do: where signatures or blocks wait, transactions go without.
 */
export class Predictor implements Predictions {
  readonly #options: PredictorOptions;
  readonly #known = new WeakMap<TransactionEnvelope, Prediction>();
  readonly #waiting: TransactionEnvelope[] = [];
  readonly #waitingOf = new Map<AddressHex, number>();
  #busy = false;
  #skipped = 0;

  constructor(options: PredictorOptions) {
    this.#options = options;
  }

  /** How many were not tried because the workers had other work. */
  get skipped(): number {
    return this.#skipped;
  }

  of(transaction: TransactionEnvelope): Prediction | undefined {
    return this.#known.get(transaction);
  }

  /** A transaction has come into the pool. Never waits. */
  enqueue(transaction: TransactionEnvelope): void {
    if (!TRIED.has(transaction.signed.transaction.action.type)) return;
    if (this.#options.shouldPredict?.(transaction) === false) return;
    const { sender } = transaction;
    const ofSender = this.#waitingOf.get(sender) ?? 0;
    const isCrowded = this.#waiting.length * 2 >= MAX_WAITING;
    if (this.#waiting.length >= MAX_WAITING || (isCrowded && ofSender >= MAX_PER_SENDER)) {
      this.#skipped++;
      return;
    }
    this.#waiting.push(transaction);
    this.#waitingOf.set(sender, ofSender + 1);
    if (this.#waiting.length === 1 && !this.#busy) setImmediate(() => void this.#work());
  }

  /** Never rejects. */
  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    const { pool, environment, shouldPredict, onPredict, onError } = this.#options;
    while (this.#waiting.length > 0) {
      if (pool.load >= pool.workers) {
        this.#skipped += this.#waiting.length;
        this.#take(this.#waiting.length);
        break;
      }
      const batch = this.#take(BATCH).filter((transaction) => shouldPredict?.(transaction) !== false);
      if (batch.length === 0) continue;
      onPredict?.(batch);
      try {
        const input = {
          env: environment(),
          transactions: encodeTransactions(batch.map(({ encoded }) => encoded)),
        };
        const predictions = decodePredictions(await this.#run(input));
        for (const [place, transaction] of batch.entries()) {
          const prediction = predictions[place];
          if (prediction === undefined) this.#skipped++;
          else this.#known.set(transaction, prediction);
        }
      } catch (error) {
        if (!(error instanceof ExecutionError && error.code === 'stopped')) onError(error);
      }
      onPredict?.([]);
    }
    this.#busy = false;
  }

  #take(count: number): TransactionEnvelope[] {
    const taken = this.#waiting.splice(0, count);
    for (const { sender } of taken) {
      const left = (this.#waitingOf.get(sender) ?? 1) - 1;
      if (left === 0) this.#waitingOf.delete(sender);
      else this.#waitingOf.set(sender, left);
    }
    return taken;
  }

  /** Once only: what took one worker with it would take another. */
  async #run(input: PredictionInput): Promise<Uint8Array> {
    const { pool, maxBatchMs = MAX_BATCH_MS } = this.#options;
    const cancellation = new Cancellation();
    const timer = setTimeout(() => cancellation.cancel(), maxBatchMs).unref();
    try {
      return await pool.run('predict', input, { cancellation, once: true });
    } finally {
      clearTimeout(timer);
    }
  }
}
