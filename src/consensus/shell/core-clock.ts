/**
 * The core's monotonic clock, in milliseconds. A sole validator counts the block time from the start of a proposal, so
 * it stops the clock until that block is committed.
 */
export class CoreClock {
  readonly #time: () => number;
  #last = Number.NEGATIVE_INFINITY;
  #stoppedAt: number | undefined;

  /** @param time a monotonic clock */
  constructor(time: () => number) {
    this.#time = time;
  }

  /** The current time for events. */
  get nowMs(): number {
    this.#last = Math.max(this.#last, this.#stoppedAt ?? this.#time());
    return this.#last;
  }

  get isStopped(): boolean {
    return this.#stoppedAt !== undefined;
  }

  /** Milliseconds until a time on this clock, assuming it runs. */
  msUntil(atMs: number): number {
    return atMs - this.#time();
  }

  /** Stops the clock retroactively, `ms` milliseconds ago; allowed only before the first event. */
  stopSince(ms: number): void {
    this.#stoppedAt = this.#time() - ms;
  }

  stop(): void {
    this.#stoppedAt = this.nowMs;
  }

  resume(): void {
    this.#stoppedAt = undefined;
  }
}
