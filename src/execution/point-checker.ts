import { answerAll, portions, TurnBatch } from '../async/turn-batch.js';
import { ExecutionError } from './execution-error.js';
import type { SealingTasks } from './open-envelopes.js';
import type { TaskRunner } from './task-runner.js';

/** How many points may wait or be under way; more are refused as overloaded. */
const MAX_WAITING = 1_024;
/** Points in one task: the pure implementation takes a millisecond or more for each. */
const GREATEST_PART = 16;

/** Checks the points of envelopes in the workers. Whatever is asked in one turn of the event loop shares tasks. */
export class PointChecker {
  readonly #pool: TaskRunner<Pick<SealingTasks, 'check_points'>>;
  readonly #gathered = new TurnBatch<Uint8Array, boolean>(() => {
    for (const part of portions(this.#gathered.take(), GREATEST_PART)) {
      void answerAll(part, async (points) => {
        try {
          return await this.#pool.run('check_points', points);
        } finally {
          this.#waiting -= points.length;
        }
      });
    }
  });
  #waiting = 0;

  constructor(pool: TaskRunner<Pick<SealingTasks, 'check_points'>>) {
    this.#pool = pool;
  }

  /**
   * Whether 48 bytes are the canonical encoding of a point of the subgroup that is not infinity.
   * @throws ExecutionError `overloaded` at once where too many wait already; `worker_died` or `stopped` where no worker could check it
   */
  check(point: Uint8Array): Promise<boolean> {
    if (this.#waiting >= MAX_WAITING) {
      return Promise.reject(
        new ExecutionError('overloaded', `${MAX_WAITING} points wait to be checked already`),
      );
    }
    this.#waiting++;
    return this.#gathered.ask(point);
  }
}
