import type { MeshTiming } from './timing.js';

export interface RedialOptions {
  readonly timing: MeshTiming;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** 0 ≤ value < 1. */
  readonly random: () => number;
  readonly dial: () => void;
}

/** When to call a peer again: after pauses that grow, with jitter. */
export class Redial {
  readonly #options: RedialOptions;
  #timer: NodeJS.Timeout | undefined;
  #dueMs = 0;
  #failures = 0;

  constructor(options: RedialOptions) {
    this.#options = options;
  }

  /**
   * Plans the next call, unless one is planned.
   * @param when `now`; `soon`: give the peer time to call first; `later`: the pause after a failure
   * @param leastMs not before so many milliseconds
   */
  schedule(when: 'now' | 'soon' | 'later', leastMs: number): void {
    if (this.#timer !== undefined) return;
    const { timing, random } = this.#options;
    let pauseMs = 0;
    if (when !== 'now') {
      const bound = Math.min(timing.maxRedialMs, timing.firstRedialMs * 2 ** Math.min(this.#failures, 16));
      pauseMs = bound * (0.5 + 0.5 * random());
      if (when === 'later') this.#failures++;
    }
    this.#set(Math.max(leastMs, pauseMs));
  }

  /** Brings a planned call forward: at most the longest pause after a failure from now, at least `leastMs` milliseconds. */
  expedite(leastMs: number): void {
    const { timing, now } = this.#options;
    const pauseMs = Math.max(leastMs, timing.maxRedialMs);
    if (this.#timer === undefined || this.#dueMs <= now() + pauseMs) return;
    clearTimeout(this.#timer);
    this.#set(pauseMs);
  }

  /** Forgets the plan and the failures. */
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
