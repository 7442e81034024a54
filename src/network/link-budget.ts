import { TokenBucket } from './rate-limit.js';

const MIB = 1024 * 1024;
/**
 * Bytes a second. An honest peer sends less: at most 32 MiB of blocks to a node that catches up, 8 MiB of gossip, and a proposal
 * of 4 MiB a block.
 */
const PER_SECOND = 64 * MIB;
const BURST_SECONDS = 2;
/** Cost of a chunk in addition to its bytes. Every TLS record is a chunk of its own. */
const CHUNK_COST = 4 * 1024;
/** Cost of a message in addition to its bytes. */
const MESSAGE_COST = 512;
/** The shortest pause: each costs a timer. */
const LEAST_PAUSE_MS = 100;
/** Allowance of pauses per peer. */
const PAUSES = { perSecond: 1, burst: 20 };

export interface LinkBudgetOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** What the rate is multiplied by. */
  readonly scale: number;
}

/** Limits the cost of reading from one peer, over all of its connections. */
export class LinkBudget {
  readonly #perMs: number;
  readonly #most: number;
  readonly #pauses: TokenBucket;
  readonly #now: () => number;
  #left: number;
  #atMs: number;

  constructor({ now, scale }: LinkBudgetOptions) {
    this.#now = now;
    this.#perMs = (PER_SECOND * scale) / 1_000;
    this.#most = PER_SECOND * scale * BURST_SECONDS;
    this.#left = this.#most;
    this.#atMs = now();
    this.#pauses = new TokenBucket(PAUSES.perSecond, PAUSES.burst, this.#atMs);
  }

  /** Counts a message that begins. */
  message(): void {
    this.#left -= MESSAGE_COST;
  }

  /**
   * Counts a chunk that was read.
   * @returns milliseconds for which reading must pause; 0 while the budget lasts
   */
  chunk(bytes: number): number {
    this.#left -= bytes + CHUNK_COST;
    if (this.#left >= 0) return 0;
    const nowMs = this.#now();
    this.#left = Math.min(this.#most, this.#left + (nowMs - this.#atMs) * this.#perMs);
    this.#atMs = nowMs;
    return this.#left >= 0 ? 0 : Math.max(LEAST_PAUSE_MS, Math.ceil(-this.#left / this.#perMs));
  }

  /** Counts a pause. @returns whether there were too many of them */
  paused(): boolean {
    return !this.#pauses.take(1, this.#now());
  }
}
