/**
 * The core's clock: milliseconds that never go back. It can be stopped for a while: one validator alone counts the time between
 * blocks from where it began to build one, so its clock stands still until that one is committed.
 */
export class CoreClock {
  readonly #time: () => number;
  #last = Number.NEGATIVE_INFINITY;
  #stoppedAt: number | undefined;

  /** @param time a monotonic clock */
  constructor(time: () => number = () => performance.now()) {
    this.#time = time;
  }

  /** What an event is told to happen at. */
  get nowMs(): number {
    this.#last = Math.max(this.#last, this.#stoppedAt ?? this.#time());
    return this.#last;
  }

  get isStopped(): boolean {
    return this.#stoppedAt !== undefined;
  }

  /** How long until a time of this clock comes, if it does not stand still. */
  msUntil(atMs: number): number {
    return atMs - this.#time();
  }

  /** As {@link stop}, so long ago; before the first event. */
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
