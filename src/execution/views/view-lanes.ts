import { Cancellation } from '../cancellation.js';
import { ExecutionError } from '../execution-error.js';
import type { ExecutionPool, RunOptions } from '../execution-pool.js';
import { createLaneMemory, LaneClient, MAX_REQUEST_BYTES } from './view-lane.js';

/** A lane and what is under way on it. */
interface Lane {
  readonly memory: SharedArrayBuffer;
  readonly client: LaneClient;
  /** Whether a worker serves it, or is about to. */
  isServed: boolean;
  /** Ends the task that serves it, and its worker with it. */
  serving: Cancellation;
  batch: LaneBatch | undefined;
}

interface LaneBatch {
  readonly encoded: Uint8Array;
  readonly cancellation: Cancellation | undefined;
  readonly resolve: (answers: string) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Takes batches of view calls to the workers and back through shared memory (see `view-lane.ts`). A worker that serves a lane
 * is at it in a task of the pool like any other, which ends when nothing comes for some milliseconds or when other tasks
 * wait: what is saved is the way there for all batches but the first, and, while batches follow each other closely, the
 * waking of threads that have just fallen asleep, which costs more than a short batch does.
 *
 * Hot: guarded by `bench/view-call-pool.bench.ts`.
 */
export class ViewLanes {
  readonly workers: number;
  readonly #pool: ExecutionPool;
  readonly #lanes: Lane[] = [];
  #isLooking = false;

  constructor(pool: ExecutionPool) {
    this.#pool = pool;
    this.workers = pool.workers;
    pool.onMessage(() => this.#look());
    pool.onCrowd(() => {
      for (const lane of this.#lanes) if (lane.isServed) lane.client.askToLeave();
    });
  }

  /** Has a worker answer a batch, as `pool.run('view_calls', …)` does. @throws ExecutionError */
  run(_kind: 'view_calls', encoded: Uint8Array, options: RunOptions = {}): Promise<string> {
    if (encoded.length > MAX_REQUEST_BYTES) return this.#pool.run('view_calls', encoded, options);
    return new Promise((resolve, reject) => {
      const lane = this.#freeLane();
      const { cancellation } = options;
      lane.batch = { encoded, cancellation, resolve, reject };
      cancellation?.onCancel(() => lane.serving.cancel());
      lane.client.send(encoded);
      if (!lane.isServed) void this.#serve(lane);
      this.#lookLater();
    });
  }

  #freeLane(): Lane {
    // One that is served comes before one that is not.
    const free =
      this.#lanes.find(({ batch, isServed }) => batch === undefined && isServed) ??
      this.#lanes.find(({ batch }) => batch === undefined);
    if (free !== undefined) return free;
    const memory = createLaneMemory();
    const lane = {
      memory,
      client: new LaneClient(memory),
      isServed: false,
      serving: new Cancellation(),
      batch: undefined,
    };
    this.#lanes.push(lane);
    return lane;
  }

  /** Has a worker serve the lane for as long as there is something on it. Never rejects. */
  async #serve(lane: Lane): Promise<void> {
    lane.isServed = true;
    while (lane.batch !== undefined) {
      lane.serving = new Cancellation();
      if (lane.batch.cancellation?.isCancelled === true) lane.serving.cancel();
      lane.client.open();
      try {
        const { answer } = await this.#pool.run('view_lane', lane.memory, {
          cancellation: lane.serving,
          once: true,
        });
        if (answer !== undefined) {
          lane.client.reset();
          this.#end(lane)?.resolve(answer);
        }
        this.#settle(lane);
      } catch (error) {
        this.#failed(lane, error);
      }
    }
    lane.isServed = false;
  }

  #failed(lane: Lane, error: unknown): void {
    lane.client.reset();
    const batch = this.#end(lane);
    if (batch === undefined) return;
    // A batch whose worker died may try another, as every task may.
    if (error instanceof ExecutionError && error.code === 'worker_died') {
      const { encoded, cancellation, resolve, reject } = batch;
      const options = cancellation === undefined ? {} : { cancellation };
      this.#pool.run('view_calls', encoded, options).then(resolve, reject);
    } else {
      batch.reject(error);
    }
  }

  #end(lane: Lane): LaneBatch | undefined {
    const { batch } = lane;
    lane.batch = undefined;
    batch?.cancellation?.onCancel(undefined);
    return batch;
  }

  #settle(lane: Lane): void {
    if (lane.batch === undefined || lane.client.isBusy) return;
    const answers = lane.client.take();
    this.#end(lane)?.resolve(answers);
  }

  #lookLater(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    setImmediate(this.#lookAgain);
  }

  /** Once more in the next turn of the event loop; from then on by message. */
  readonly #lookAgain = (): void => {
    this.#isLooking = false;
    this.#look();
    for (const lane of this.#lanes) if (lane.batch !== undefined) lane.client.fallAsleep();
    this.#look();
  };

  #look(): void {
    for (const lane of this.#lanes) this.#settle(lane);
  }
}
