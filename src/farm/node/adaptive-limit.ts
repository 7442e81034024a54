import pLimit, { type LimitFunction } from 'p-limit';

/**
 * Time in which several refusals count as one, in milliseconds: they answer calls that were sent together. The same time
 * passes between two steps up, so that fast answers do not outrun the refusals.
 */
const ROUND_MS = 250;

/**
 * Limits the calls in flight to what a node takes, after the congestion control of TCP (RFC 5681): twice as many for each
 * round of answered calls until the first refusal, from then on one more per round, and half for a refusal.
 */
export class AdaptiveLimit {
  readonly #limit: LimitFunction;
  readonly #most: number;
  readonly #step: number;
  #wanted: number;
  #hasBeenRefused = false;
  #lastRefusal = 0;
  #lastChange = 0;

  /**
   * @param most upper bound, at least 1
   * @param step the limit above this number is a multiple of it: calls that begin together make one request, and so do
   *   those that take their place
   */
  constructor(most: number, step: number) {
    this.#most = most;
    this.#step = step;
    this.#wanted = Math.min(step, most);
    this.#limit = pLimit(this.#wanted);
  }

  get allowed(): number {
    return this.#limit.concurrency;
  }

  get inFlight(): number {
    return this.#limit.activeCount;
  }

  /** Runs work that makes one call, when there is room; the rest waits in order. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#limit(work);
  }

  answered(): void {
    if (this.#wanted >= this.#most) return;
    if (this.#hasBeenRefused) {
      const now = performance.now();
      if (now - this.#lastChange < ROUND_MS) return;
      this.#lastChange = now;
    }
    this.#set(this.#wanted + 1);
  }

  /** Notes a node's answer that it has too much to do. */
  refused(): void {
    const now = performance.now();
    if (this.#hasBeenRefused && now - this.#lastRefusal < ROUND_MS) return;
    this.#lastRefusal = now;
    this.#lastChange = now;
    this.#hasBeenRefused = true;
    this.#set(Math.max(1, Math.floor(this.#wanted / 2)));
  }

  #set(wanted: number): void {
    this.#wanted = wanted;
    const isStepped = wanted > this.#step && wanted < this.#most;
    const allowed = isStepped ? wanted - (wanted % this.#step) : wanted;
    // The setter wakes waiting work, so it is used on a change only.
    if (this.#limit.concurrency !== allowed) this.#limit.concurrency = allowed;
  }
}
