import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Rate } from '../../../async/gcra.js';
import type { RateLease } from '../shared-quota-store.js';
import { LEASE } from './redis-scripts.js';

/** Tokens have few different rates. */
const MAX_LIMITERS = 256;

/** Rates that all nodes share: leaky buckets in Redis, from which nodes lease units. */
export class RedisRates {
  readonly #client: Redis;
  readonly #prefix: string;
  readonly #limiters = new LRUCache<string, RateLimiterRedis>({ max: MAX_LIMITERS });

  /** @param prefix of keys; a colon and the id follow */
  constructor(client: Redis, prefix: string) {
    this.#client = client;
    this.#prefix = prefix;
  }

  /** Leases at most `units`. Rejects with errors of the client. */
  async lease(id: string, units: number, rate: Rate): Promise<RateLease> {
    // `penalty` consumes points without judging the result: a lease may be smaller than asked for.
    const { consumedPoints, msBeforeNext } = await this.#limiterOf(rate).penalty(id, units);
    return { units: consumedPoints, emptyMs: msBeforeNext };
  }

  #limiterOf({ perSecond, burst }: Rate): RateLimiterRedis {
    const key = `${perSecond} ${burst}`;
    const known = this.#limiters.get(key);
    if (known !== undefined) return known;
    const limiter = new RateLimiterRedis({
      storeClient: this.#client,
      keyPrefix: this.#prefix,
      points: burst,
      duration: burst / perSecond,
      customIncrTtlLuaScript: LEASE,
    });
    this.#limiters.set(key, limiter);
    return limiter;
  }
}
