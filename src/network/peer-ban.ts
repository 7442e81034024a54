import type { MeshTiming } from './timing.js';

/**
 * How long a peer at fault is kept out: longer with each fault, until none comes for a while. While the peer is needed, because
 * fewer than a quorum are connected, only for a moment: no chain is to stand still for the length of an exclusion.
 */
export class PeerBan {
  readonly #timing: MeshTiming;
  readonly #now: () => number;
  readonly #isNeeded: () => boolean;
  #faults = 0;
  #lastFaultMs = 0;
  #durationMs = 0;

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
    if (this.#durationMs === 0 || this.#now() >= this.#lastFaultMs + this.#durationMs) return 0;
    const forMs = this.#isNeeded()
      ? Math.min(this.#durationMs, this.#timing.maxBanWithoutQuorumMs)
      : this.#durationMs;
    return Math.max(0, this.#lastFaultMs + forMs - this.#now());
  }

  /** Adds a fault. */
  addFault(): void {
    const { firstBanMs, maxBanMs, banResetMs } = this.#timing;
    const now = this.#now();
    if (now - this.#lastFaultMs > banResetMs) this.#faults = 0;
    this.#durationMs = Math.min(maxBanMs, firstBanMs * 2 ** Math.min(this.#faults, 16));
    this.#faults++;
    this.#lastFaultMs = now;
  }
}
