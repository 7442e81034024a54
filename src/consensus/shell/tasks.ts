import type { Log } from '../../config/log.js';
import type { Lifecycle } from './lifecycle.js';

export interface TasksOptions {
  readonly lifecycle: Pick<Lifecycle, 'isRunning' | 'fail'>;
  readonly log: Pick<Log, 'error'>;
}

/** Tracks asynchronous tasks: handles their errors and lets a shutdown wait for them. */
export class Tasks {
  readonly #options: TasksOptions;
  readonly #inFlight = new Set<Promise<void>>();

  constructor(options: TasksOptions) {
    this.#options = options;
  }

  /**
   * Runs a task.
   * @param isVital whether consensus cannot continue if it fails
   * @returns a promise that resolves when the task has ended, even if it failed
   */
  run(what: string, work: () => Promise<void>, isVital = false): Promise<void> {
    const task = work()
      .catch((error: unknown) => {
        if (isVital) this.#options.lifecycle.fail(error);
        else this.handleError(error, what);
      })
      .finally(() => this.#inFlight.delete(task));
    this.#inFlight.add(task);
    return task;
  }

  /** Whether no task is running. */
  get isIdle(): boolean {
    return this.#inFlight.size === 0;
  }

  /** Waits for the tasks now running; never rejects. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#inFlight]);
  }

  /** Logs the failure of a task that consensus can continue without. */
  handleError(error: unknown, what: string): void {
    const { lifecycle, log } = this.#options;
    if (lifecycle.isRunning) log.error({ err: error, what }, 'consensus continues after a failure');
  }
}
