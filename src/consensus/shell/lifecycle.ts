import type { Runtime } from '../../async/runtime.js';
import { toError } from '../../base/errors.js';
import type { Log } from '../../config/log.js';

export interface LifecycleOptions {
  readonly runtime: Runtime;
  readonly log: Pick<Log, 'error'>;
  /** Called once if consensus ends by a failure. */
  readonly onFailure: (reason: Error) => void;
}

/** Tells whether consensus runs, and tracks the asynchronous tasks that a shutdown waits for. It starts once per process. */
export class Lifecycle {
  readonly #options: LifecycleOptions;
  readonly #stopping = new AbortController();
  readonly #tasks = new Set<Promise<void>>();
  #startedAt: number | undefined;

  constructor(options: LifecycleOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#startedAt !== undefined && !this.stopping.aborted;
  }

  /** Aborted once consensus ends. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Milliseconds since the start; undefined if not running. */
  get runningMs(): number | undefined {
    return this.#startedAt === undefined || this.stopping.aborted
      ? undefined
      : this.#options.runtime.now() - this.#startedAt;
  }

  /** @returns false if it has started or ended before */
  start(): boolean {
    if (this.#startedAt !== undefined || this.stopping.aborted) return false;
    this.#startedAt = this.#options.runtime.now();
    return true;
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Ends consensus because it cannot continue here. */
  fail(error: unknown): void {
    if (!this.isRunning) return;
    this.stop();
    this.#options.onFailure(toError(error));
  }

  /** Runs a task; never rejects. @param isVital whether consensus cannot continue if it fails */
  run(what: string, work: () => Promise<void>, isVital = false): Promise<void> {
    const task = work()
      .catch((error: unknown) => {
        if (isVital) this.fail(error);
        else this.handleError(error, what);
      })
      .finally(() => this.#tasks.delete(task));
    this.#tasks.add(task);
    return task;
  }

  get isIdle(): boolean {
    return this.#tasks.size === 0;
  }

  /** Waits for the tasks now running; never rejects. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#tasks]);
  }

  /** Logs the failure of a task that consensus can continue without. */
  handleError(error: unknown, what: string): void {
    if (this.isRunning) this.#options.log.error({ err: error, what }, 'consensus continues after a failure');
  }
}
