import type { ChargedClient } from '../async/caller.js';
import { isSlot, type Slot, SlotPool } from '../async/slot-pool.js';
import { answerAll, chunks, TickBatch } from '../async/tick-batch.js';
import { ExecutionError } from './execution-error.js';
import type { PointTasks } from './open-envelopes.js';
import type { TaskRunner } from './task-runner.js';

/** Maximum number of points waiting or in flight; further ones are refused as overloaded. */
const MAX_WAITING = 1_024;
/** Points per task: the pure implementation takes a millisecond or more for each. */
const MAX_TASK_ITEMS = 16;

interface WaitingPoint {
  readonly point: Uint8Array;
  readonly place: Slot;
}

/** Checks the points of envelopes in the workers. All requests of one event loop tick share tasks. */
export class PointChecker {
  readonly #pool: TaskRunner<PointTasks>;
  readonly #slots = new SlotPool();
  readonly #gathered = new TickBatch<WaitingPoint, boolean>(() => {
    for (const part of chunks(this.#gathered.take(), MAX_TASK_ITEMS)) {
      void answerAll(part, async (points) => {
        try {
          const encoded = points.map(({ point }) => point);
          return await this.#pool.run('check_points', encoded);
        } finally {
          for (const { place } of points) this.#slots.release(place);
        }
      });
    }
  });

  constructor(pool: TaskRunner<PointTasks>) {
    this.#pool = pool;
  }

  get waiting(): number {
    return this.#slots.used;
  }

  /**
   * Returns true if 48 bytes are the canonical encoding of a point of the subgroup other than infinity.
   * @throws ExecutionError `overloaded` at once if too many wait, in all or for this client; `worker_died`, `stopped`
   */
  check(point: Uint8Array, client?: ChargedClient): Promise<boolean> {
    const place = this.#slots.tryAcquire(MAX_WAITING, client);
    if (isSlot(place)) return this.#gathered.add({ point, place });
    const message = `${this.waiting} of at most ${MAX_WAITING} points are already waiting`;
    return Promise.reject(new ExecutionError('overloaded', message));
  }
}
