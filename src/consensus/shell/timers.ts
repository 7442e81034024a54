import type { TimerName } from '../core/types.js';
import type { CoreClock } from './core-clock.js';

interface Running {
  readonly atMs: number;
  readonly timeout: NodeJS.Timeout;
}

/** The core's timers. */
export class Timers {
  readonly #clock: CoreClock;
  readonly #fire: (timer: TimerName) => void;
  readonly #running = new Map<TimerName, Running>();

  constructor(clock: CoreClock, fire: (timer: TimerName) => void) {
    this.#clock = clock;
    this.#fire = fire;
  }

  set(timer: TimerName, atMs: number): void {
    clearTimeout(this.#running.get(timer)?.timeout);
    const delayMs = Math.max(0, Math.ceil(this.#clock.msUntil(atMs)));
    const timeout = setTimeout(() => this.#elapsed(timer, atMs), delayMs);
    this.#running.set(timer, { atMs, timeout });
  }

  cancel(timer: TimerName): void {
    clearTimeout(this.#running.get(timer)?.timeout);
    this.#running.delete(timer);
  }

  /** To be called when the clock goes on. */
  rearm(): void {
    for (const [timer, { atMs }] of [...this.#running]) this.set(timer, atMs);
  }

  stop(): void {
    for (const timer of [...this.#running.keys()]) this.cancel(timer);
  }

  /** Timeouts may come a little early, which would be no time at all for the core. */
  #elapsed(timer: TimerName, atMs: number): void {
    if (this.#clock.isStopped) return;
    if (this.#clock.nowMs < atMs) {
      this.set(timer, atMs);
      return;
    }
    this.#running.delete(timer);
    this.#fire(timer);
  }
}
