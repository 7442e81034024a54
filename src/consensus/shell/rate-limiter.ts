/** A per-peer limit: a sustained rate per second, and a burst. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

interface TokenBucket {
  left: number;
  at: number;
}

/** Token buckets by peer index. Costs known only afterwards may overdraw a bucket, which then has to refill. */
export class RateLimiter {
  readonly #rate: RateLimit;
  readonly #now: () => number;
  readonly #buckets = new Map<number, TokenBucket>();

  /** @param now monotonic clock, milliseconds */
  constructor(rate: RateLimit, now: () => number) {
    this.#rate = rate;
    this.#now = now;
  }

  /** True if the peer has tokens left. */
  hasTokens(peer: number): boolean {
    return this.#account(peer).left > 0;
  }

  /** Deducts tokens; may overdraw. */
  charge(peer: number, amount: number): void {
    this.#account(peer).left -= amount;
  }

  /** Takes one token if there is one. */
  tryTake(peer: number): boolean {
    if (this.#account(peer).left < 1) return false;
    this.charge(peer, 1);
    return true;
  }

  #account(peer: number): TokenBucket {
    const { perSecond, burst } = this.#rate;
    const at = this.#now();
    const account = this.#buckets.get(peer) ?? { left: burst, at };
    account.left = Math.min(burst, account.left + ((at - account.at) / 1_000) * perSecond);
    account.at = at;
    this.#buckets.set(peer, account);
    return account;
  }
}
