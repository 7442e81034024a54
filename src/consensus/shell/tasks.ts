import type { Log } from '../../config/log.js';

export interface TasksOptions {
  readonly isRunning: () => boolean;
  /** Told what ended a task without which the node cannot go on. */
  readonly onFailure: (error: unknown) => void;
  readonly log: Log;
}

/** Keeps what takes time: what it threw is dealt with here, and who stops can wait for it. */
export class Tasks {
  readonly #options: TasksOptions;
  readonly #underWay = new Set<Promise<void>>();

  constructor(options: TasksOptions) {
    this.#options = options;
  }

  /**
   * Does what takes time.
   * @param isVital whether the node cannot go on where it fails
   * @returns resolves when it has ended, also where it failed
   */
  run(what: string, work: () => Promise<void>, isVital = false): Promise<void> {
    const task = work()
      .catch((error: unknown) => {
        if (isVital) this.#options.onFailure(error);
        else this.handleError(error, what);
      })
      .finally(() => this.#underWay.delete(task));
    this.#underWay.add(task);
    return task;
  }

  /** Whether nothing is under way. */
  get isIdle(): boolean {
    return this.#underWay.size === 0;
  }

  /** Waits for what is under way now; never rejects. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#underWay]);
  }

  /** Something failed that holds nothing else up. */
  handleError(error: unknown, what: string): void {
    const { isRunning, log } = this.#options;
    if (isRunning()) log.error({ err: error, what }, 'agreement went on in spite of a failure');
  }
}
