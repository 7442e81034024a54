/** Allows one event per interval: throttles log records that a peer could otherwise cause without end. */
export class Pace {
  readonly #now: () => number;
  readonly #everyMs: number;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number, everyMs: number) {
    this.#now = now;
    this.#everyMs = everyMs;
  }

  /** True if an interval has passed since the last time this returned true. */
  take(): boolean {
    const nowMs = this.#now();
    if (nowMs - this.#lastMs < this.#everyMs) return false;
    this.#lastMs = nowMs;
    return true;
  }
}
