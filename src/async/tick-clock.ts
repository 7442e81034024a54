import { performance } from 'node:perf_hooks';

/** Measures how long the current event loop tick has been running, counting from the first time it is asked. */
export class TickClock {
  readonly #now: () => number;
  #begunMs = 0;
  #isRunning = false;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Milliseconds since the first call in this tick. */
  elapsedMs(): number {
    const now = this.#now();
    if (this.#isRunning) return now - this.#begunMs;
    this.#isRunning = true;
    this.#begunMs = now;
    setImmediate(() => {
      this.#isRunning = false;
    });
    return 0;
  }
}
