/** Says yes at most once in a while: for log records that a peer could cause without end. */
export class Pace {
  readonly #now: () => number;
  readonly #everyMs: number;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number, everyMs: number) {
    this.#now = now;
    this.#everyMs = everyMs;
  }

  /** Whether it is time again; if so, it is not for a while. */
  take(): boolean {
    const nowMs = this.#now();
    if (nowMs - this.#lastMs < this.#everyMs) return false;
    this.#lastMs = nowMs;
    return true;
  }
}
