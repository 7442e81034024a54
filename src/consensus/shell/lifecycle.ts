import type { Runtime } from '../../async/runtime.js';
import { toError } from '../../base/errors.js';

/** Whether consensus runs in this process: it starts once, and ends once, on request or by a failure. */
export class Lifecycle {
  readonly #runtime: Pick<Runtime, 'now'>;
  readonly #onFailure: (reason: Error) => void;
  readonly #stopping = new AbortController();
  #startedAt: number | undefined;

  /** @param onFailure called once if consensus ends by a failure */
  constructor(runtime: Pick<Runtime, 'now'>, onFailure: (reason: Error) => void) {
    this.#runtime = runtime;
    this.#onFailure = onFailure;
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
      : this.#runtime.now() - this.#startedAt;
  }

  /** @returns false if it has started or ended before */
  start(): boolean {
    if (this.#startedAt !== undefined || this.stopping.aborted) return false;
    this.#startedAt = this.#runtime.now();
    return true;
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Ends consensus because it cannot continue here. */
  fail(error: unknown): void {
    if (!this.isRunning) return;
    this.stop();
    this.#onFailure(toError(error));
  }
}
