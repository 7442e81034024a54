import type { MeshTiming } from './timing.js';

export interface RedialOptions {
  readonly timing: MeshTiming;
  /** 0 ≤ value < 1. */
  readonly random: () => number;
  readonly dial: () => void;
}

/** When to call a peer again: after pauses that grow, with jitter. */
export class Redial {
  readonly #options: RedialOptions;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;

  constructor(options: RedialOptions) {
    this.#options = options;
  }

  /**
   * Plans the next call, unless one is planned.
   * @param when `now`; `soon`: give the peer time to call first; `later`: the pause after a failure
   * @param leastMs not before so many milliseconds
   */
  plan(when: 'now' | 'soon' | 'later', leastMs: number): void {
    if (this.#timer !== undefined) return;
    const { timing, random, dial } = this.#options;
    let pauseMs = 0;
    if (when !== 'now') {
      const bound = Math.min(
        timing.longestRedialMs,
        timing.firstRedialMs * 2 ** Math.min(this.#failures, 16),
      );
      pauseMs = bound * (0.5 + 0.5 * random());
      if (when === 'later') this.#failures++;
    }
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        dial();
      },
      Math.max(leastMs, pauseMs),
    ).unref();
  }

  /** Forgets the plan and the failures. */
  reset(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#failures = 0;
  }
}
