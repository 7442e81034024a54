import type { MeshTiming } from './timing.js';

/** How long a peer at fault is kept out: longer with each fault, until it has been good for a while. */
export class Exclusion {
  readonly #timing: MeshTiming;
  readonly #now: () => number;
  #faults = 0;
  #lastFaultMs = 0;
  #untilMs = 0;

  /** @param now milliseconds of a clock that never goes back */
  constructor(timing: MeshTiming, now: () => number) {
    this.#timing = timing;
    this.#now = now;
  }

  /** From now on, in milliseconds; 0 where it may come. */
  get remainingMs(): number {
    return Math.max(0, this.#untilMs - this.#now());
  }

  /** One more fault. @returns how long the peer is kept out for it, in milliseconds */
  add(): number {
    const { firstExclusionMs, longestExclusionMs, forgivenMs } = this.#timing;
    const now = this.#now();
    if (now - this.#lastFaultMs > forgivenMs) this.#faults = 0;
    const forMs = Math.min(longestExclusionMs, firstExclusionMs * 2 ** Math.min(this.#faults, 16));
    this.#faults++;
    this.#lastFaultMs = now;
    this.#untilMs = now + forMs;
    return forMs;
  }
}
