/** How much of something a peer may have: so much a second in the long run, `burst` at once. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

interface TokenBucket {
  left: number;
  at: number;
}

/** What each peer may have, by its index. What is not known before it was made may overdraw; then it is refused for a while. */
export class RateLimiter {
  readonly #rate: RateLimit;
  readonly #now: () => number;
  readonly #buckets = new Map<number, TokenBucket>();

  /** @param now milliseconds of a clock that does not go back */
  constructor(rate: RateLimit, now: () => number) {
    this.#rate = rate;
    this.#now = now;
  }

  /** Whether the peer may have anything now. */
  hasTokens(peer: number): boolean {
    return this.#account(peer).left > 0;
  }

  /** The peer got so much. */
  charge(peer: number, amount: number): void {
    this.#account(peer).left -= amount;
  }

  /** @returns whether the peer may have one now, which is counted then */
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
