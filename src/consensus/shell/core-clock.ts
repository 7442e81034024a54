import type { Cancel, Runtime } from '../../async/runtime.js';
import type { TimerName } from '../core/types.js';

interface Running {
  readonly atMs: number;
  readonly cancel: Cancel;
}

/**
 * The core's monotonic clock, in milliseconds, and its timers. A sole validator counts the block time from the start of
 * a proposal, so it pauses the clock until that block is committed; timers of a paused clock do not fire.
 */
export class CoreClock {
  readonly #runtime: Runtime;
  readonly #fire: (timer: TimerName) => void;
  readonly #running = new Map<TimerName, Running>();
  #last = Number.NEGATIVE_INFINITY;
  #pausedAt: number | undefined;

  constructor(runtime: Runtime, fire: (timer: TimerName) => void) {
    this.#runtime = runtime;
    this.#fire = fire;
  }

  get nowMs(): number {
    this.#last = Math.max(this.#last, this.#pausedAt ?? this.#runtime.now());
    return this.#last;
  }

  /** Pauses retroactively, `ms` milliseconds ago; allowed only before the first event. */
  pauseSince(ms: number): void {
    this.#pausedAt = this.#runtime.now() - ms;
  }

  pause(): void {
    this.#pausedAt = this.nowMs;
  }

  resume(): void {
    this.#pausedAt = undefined;
    for (const [timer, { atMs }] of [...this.#running]) this.set(timer, atMs);
  }

  set(timer: TimerName, atMs: number): void {
    this.#running.get(timer)?.cancel();
    const delayMs = Math.max(0, Math.ceil(atMs - this.#runtime.now()));
    const cancel = this.#runtime.after(delayMs, () => this.#elapsed(timer, atMs));
    this.#running.set(timer, { atMs, cancel });
  }

  cancel(timer: TimerName): void {
    this.#running.get(timer)?.cancel();
    this.#running.delete(timer);
  }

  cancelAll(): void {
    for (const timer of [...this.#running.keys()]) this.cancel(timer);
  }

  /** A timeout may fire early; the core ignores a timer that is not due. */
  #elapsed(timer: TimerName, atMs: number): void {
    if (this.#pausedAt !== undefined) return;
    if (this.nowMs < atMs) {
      this.set(timer, atMs);
      return;
    }
    this.#running.delete(timer);
    this.#fire(timer);
  }
}
