import type { Effect, TimerName } from './types.js';

/** Which timers run, so that only changes become effects and a timer that fires late counts for nothing. */
export class RunningTimers {
  readonly #running = new Map<TimerName, number>();

  set(timer: TimerName, atMs: number, effects: Effect[]): void {
    if (this.#running.get(timer) === atMs) return;
    this.#running.set(timer, atMs);
    effects.push({ type: 'set_timer', timer, atMs });
  }

  cancel(timer: TimerName, effects: Effect[]): void {
    if (this.#running.delete(timer)) effects.push({ type: 'cancel_timer', timer });
  }

  cancelAll(effects: Effect[]): void {
    for (const timer of [...this.#running.keys()]) this.cancel(timer, effects);
  }

  isRunning(timer: TimerName): boolean {
    return this.#running.has(timer);
  }

  /** Whether this timer runs and its time has come; it runs no more then. */
  fire(timer: TimerName, nowMs: number): boolean {
    const atMs = this.#running.get(timer);
    if (atMs === undefined || atMs > nowMs) return false;
    return this.#running.delete(timer);
  }
}
