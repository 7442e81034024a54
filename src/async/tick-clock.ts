/** How long the turn of this thread's event loop has been taken up, as far as whoever asks can tell. */
export class TickClock {
  readonly #now: () => number;
  #begunMs = 0;
  #isRunning = false;

  /** @param now milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Milliseconds since this was first asked in this turn. */
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
