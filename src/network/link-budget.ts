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
const MIN_PAUSE_MS = 100;
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
  readonly #capacity: number;
  readonly #pauses: TokenBucket;
  readonly #now: () => number;
  #remaining: number;
  #atMs: number;

  constructor({ now, scale }: LinkBudgetOptions) {
    this.#now = now;
    this.#perMs = (PER_SECOND * scale) / 1_000;
    this.#capacity = PER_SECOND * scale * BURST_SECONDS;
    this.#remaining = this.#capacity;
    this.#atMs = now();
    this.#pauses = new TokenBucket(PAUSES.perSecond, PAUSES.burst, this.#atMs);
  }

  /** Counts a message that begins. */
  countMessage(): void {
    this.#remaining -= MESSAGE_COST;
  }

  /**
   * Counts a chunk that was read.
   * @returns milliseconds for which reading must pause; 0 while the budget lasts
   */
  countChunk(bytes: number): number {
    this.#remaining -= bytes + CHUNK_COST;
    if (this.#remaining >= 0) return 0;
    const nowMs = this.#now();
    this.#remaining = Math.min(this.#capacity, this.#remaining + (nowMs - this.#atMs) * this.#perMs);
    this.#atMs = nowMs;
    return this.#remaining >= 0 ? 0 : Math.max(MIN_PAUSE_MS, Math.ceil(-this.#remaining / this.#perMs));
  }

  /** Counts a pause. @returns whether there were too many of them */
  countPause(): boolean {
    return !this.#pauses.take(1, this.#now());
  }
}
