import { backoffMs, jittered } from '../async/backoff.js';
import type { MeshTiming } from './timing.js';

export interface RedialOptions {
  readonly timing: MeshTiming;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** 0 ≤ value < 1. */
  readonly random: () => number;
  readonly dial: () => void;
}

export class Redial {
  readonly #options: RedialOptions;
  #timer: NodeJS.Timeout | undefined;
  #dueMs = 0;
  #failures = 0;

  constructor(options: RedialOptions) {
    this.#options = options;
  }

  /**
   * Schedules the next attempt, unless one is scheduled.
   * @param when `now`; `soon`: gives the peer time to dial first; `later`: the backoff after a failure
   */
  schedule(when: 'now' | 'soon' | 'later', minMs: number): void {
    if (this.#timer !== undefined) return;
    const { timing, random } = this.#options;
    let pauseMs = 0;
    if (when !== 'now') {
      pauseMs = jittered(backoffMs(timing.firstRedialMs, timing.maxRedialMs, this.#failures), random());
      if (when === 'later') this.#failures++;
    }
    this.#set(Math.max(minMs, pauseMs));
  }

  /** Moves a scheduled attempt forward to at most `maxRedialMs`, but at least `leastMs`, milliseconds from now. */
  expedite(minMs: number): void {
    const { timing, now } = this.#options;
    const pauseMs = Math.max(minMs, timing.maxRedialMs);
    if (this.#timer === undefined || this.#dueMs <= now() + pauseMs) return;
    clearTimeout(this.#timer);
    this.#set(pauseMs);
  }

  /** Cancels the scheduled attempt and forgets the failures. */
  reset(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#failures = 0;
  }

  #set(pauseMs: number): void {
    const { now, dial } = this.#options;
    this.#dueMs = now() + pauseMs;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      dial();
    }, pauseMs).unref();
  }
}
