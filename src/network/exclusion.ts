import type { MeshTiming } from './timing.js';

/**
 * How long a peer at fault is kept out: longer with each fault, until none comes for a while. While the peer is needed, because
 * fewer than a quorum are connected, only for a moment: no chain is to stand still for the length of an exclusion.
 */
export class Exclusion {
  readonly #timing: MeshTiming;
  readonly #now: () => number;
  readonly #isNeeded: () => boolean;
  #faults = 0;
  #lastFaultMs = 0;
  #forMs = 0;

  /**
   * @param now milliseconds of a clock that never goes back
   * @param isNeeded whether fewer than a quorum are connected
   */
  constructor(timing: MeshTiming, now: () => number, isNeeded: () => boolean) {
    this.#timing = timing;
    this.#now = now;
    this.#isNeeded = isNeeded;
  }

  /** From now on, in milliseconds; 0 where it may come. */
  get remainingMs(): number {
    // Asked for only while there is an exclusion, for it counts the connections.
    if (this.#forMs === 0 || this.#now() >= this.#lastFaultMs + this.#forMs) return 0;
    const forMs = this.#isNeeded() ? Math.min(this.#forMs, this.#timing.neededExclusionMs) : this.#forMs;
    return Math.max(0, this.#lastFaultMs + forMs - this.#now());
  }

  /** Adds a fault. */
  add(): void {
    const { firstExclusionMs, longestExclusionMs, forgivenMs } = this.#timing;
    const now = this.#now();
    if (now - this.#lastFaultMs > forgivenMs) this.#faults = 0;
    this.#forMs = Math.min(longestExclusionMs, firstExclusionMs * 2 ** Math.min(this.#faults, 16));
    this.#faults++;
    this.#lastFaultMs = now;
  }
}
