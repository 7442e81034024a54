import { TokenBucket } from './rate-limit.js';

const MIB = 1024 * 1024;
/** Bytes per second. Honest peers send less: 32 MiB of blocks for catching up, 8 MiB of gossip, 4 MiB per proposal. */
const PER_SECOND = 64 * MIB;
const BURST_SECONDS = 2;
/** Cost of a chunk in addition to its bytes. Every TLS record is a separate chunk. */
const CHUNK_COST = 4 * 1024;
/** Cost of a message in addition to its bytes. */
const MESSAGE_COST = 512;
/** Minimum pause, since each costs a timer. */
const MIN_PAUSE_MS = 100;
/** Number of pauses allowed per peer. */
const PAUSES = { perSecond: 1, burst: 20 };

export interface LinkBudgetOptions {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Factor for the rate. */
  readonly scale: number;
}

/** Limits the cost of reading from one peer, across all its connections. */
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

  countMessage(): void {
    this.#remaining -= MESSAGE_COST;
  }

  /**
   * Counts a chunk that was read.
   * @returns milliseconds for which reading must pause; 0 while within the budget
   */
  countChunk(bytes: number): number {
    this.#remaining -= bytes + CHUNK_COST;
    if (this.#remaining >= 0) return 0;
    const nowMs = this.#now();
    this.#remaining = Math.min(this.#capacity, this.#remaining + (nowMs - this.#atMs) * this.#perMs);
    this.#atMs = nowMs;
    return this.#remaining >= 0 ? 0 : Math.max(MIN_PAUSE_MS, Math.ceil(-this.#remaining / this.#perMs));
  }

  /** Counts a pause. Returns true if there have been too many. */
  countPause(): boolean {
    return !this.#pauses.take(1, this.#now());
  }
}
