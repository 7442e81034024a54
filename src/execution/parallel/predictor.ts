import type { AddressHex } from '../../ledger/hex-types.js';
import type { TransactionEnvelope } from '../../ledger/transaction-envelope.js';
import type { BlockEnvironment } from '../block-environment.js';
import { Cancellation } from '../cancellation.js';
import { ExecutionError } from '../execution-error.js';
import type { TaskWorkers } from '../task-runner.js';
import { encodeByteStrings } from './flat-bytes.js';
import { decodePredictions, type PredictionInput, type PredictionTasks } from './predict.js';
import type { Prediction, Predictions } from './predictions.js';

export interface PredictorOptions {
  /** `load` is the number of tasks waiting or running. */
  readonly pool: TaskWorkers<PredictionTasks> & { readonly load: number };
  /** The next block's environment, as far as it is known. */
  readonly environment: () => BlockEnvironment;
  /** Whether to try a transaction, evaluated on arrival and again before the try; always true if absent. */
  readonly shouldPredict?: (transaction: TransactionEnvelope) => boolean;
  /** Called with the transactions about to be tried, and with none afterwards. */
  readonly onPredict?: (transactions: readonly TransactionEnvelope[]) => void;
  /** Called when a batch could not be tried, unless the pool was stopping. */
  readonly onError: (error: unknown) => void;
  /** Time limit of a batch in milliseconds; {@link MAX_BATCH_MS} if absent. */
  readonly maxBatchMs?: number;
}

const BATCH = 64;
/** Maximum number of waiting transactions; further ones are not predicted, as the workers have other work. */
const MAX_WAITING = 1_024;
/** Maximum number of waiting transactions per sender once half of the places are taken. */
const MAX_PER_SENDER = 64;
/** A worker stops long before, unless a transaction never ends; signatures and blocks may wait meanwhile. */
const MAX_BATCH_MS = 5_000;
/** Kinds of action to try. Deployments take long, and few of their accesses are unknown without a try. */
const TRIED = new Set(['call', 'batch']);

/** Tries contract calls that entered the pool on idle workers only, and remembers their accesses. */
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

  /** Number of transactions not tried because the workers had other work. */
  get skipped(): number {
    return this.#skipped;
  }

  of(transaction: TransactionEnvelope): Prediction | undefined {
    return this.#known.get(transaction);
  }

  /** Called when a transaction has entered the pool. Never blocks. */
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
        const transactions = encodeByteStrings(batch.map(({ encoded }) => encoded));
        const predictions = decodePredictions(await this.#run({ env: environment(), transactions }));
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

  /** Not retried, because a batch that killed one worker would kill another. */
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
