import type { Effect, TimerName } from './types.js';

/** Tracks running timers, so that only changes become effects and late firings are ignored. */
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

  /** Clears a running timer whose time has come; false if it is not running or not due. */
  fire(timer: TimerName, nowMs: number): boolean {
    const atMs = this.#running.get(timer);
    if (atMs === undefined || atMs > nowMs) return false;
    return this.#running.delete(timer);
  }
}
