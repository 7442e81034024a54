import { backoffMs } from '../async/backoff.js';
import type { MeshTiming } from './timing.js';

/**
 * The ban of a faulty peer: longer with each fault, until none occurs for a while. If fewer than a quorum are
 * connected, the peer is needed and the ban is short, so that a ban never halts the chain.
 */
export class PeerBan {
  readonly #timing: MeshTiming;
  readonly #now: () => number;
  readonly #isNeeded: () => boolean;
  #faults = 0;
  #lastFaultMs = 0;
  #durationMs = 0;

  /**
   * @param now milliseconds of a monotonic clock
   * @param isNeeded true if fewer than a quorum are connected
   */
  constructor(timing: MeshTiming, now: () => number, isNeeded: () => boolean) {
    this.#timing = timing;
    this.#now = now;
    this.#isNeeded = isNeeded;
  }

  /** Milliseconds until the ban ends; 0 if the peer is not banned. */
  get remainingMs(): number {
    // `isNeeded` counts the connections, so it is called only during a ban.
    if (this.#durationMs === 0 || this.#now() >= this.#lastFaultMs + this.#durationMs) return 0;
    const forMs = this.#isNeeded()
      ? Math.min(this.#durationMs, this.#timing.maxBanWithoutQuorumMs)
      : this.#durationMs;
    return Math.max(0, this.#lastFaultMs + forMs - this.#now());
  }

  addFault(): void {
    const { firstBanMs, maxBanMs, banResetMs } = this.#timing;
    const now = this.#now();
    if (now - this.#lastFaultMs > banResetMs) this.#faults = 0;
    this.#durationMs = backoffMs(firstBanMs, maxBanMs, this.#faults);
    this.#faults++;
    this.#lastFaultMs = now;
  }
}
