import type { Redis, Result } from 'ioredis';
import { leakTimeNs } from '../../../async/gcra.js';
import type { AddressLoad } from '../shared-quota-store.js';
import { ADD_USES } from './redis-scripts.js';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    heddleAddUses(buckets: number, ...keysAndArgs: readonly string[]): Result<number[], Context>;
  }
}

/** A bucket holds this many bursts at most: more than the nodes of a fleet can let through at one moment. */
const MAX_BURSTS = 64n;
const NS_PER_US = 1_000n;

/** The buckets of addresses in Redis. A key exists while its bucket is not empty. */
export class RedisAddressLevels {
  readonly #client: Redis;
  readonly #prefix: string;

  /** @param prefix of keys; a colon, the policy, a colon and the address follow */
  constructor(client: Redis, prefix: string) {
    this.#client = client;
    this.#prefix = prefix;
    client.defineCommand('heddleAddUses', { lua: ADD_USES });
  }

  /** See `SharedAddressLevels`. Rejects with errors of the client. */
  async add(loads: readonly AddressLoad[]): Promise<readonly bigint[]> {
    if (loads.length === 0) return [];
    const keys = loads.map(({ client }) => `${this.#prefix}:${client.replace(' ', ':')}`);
    const args = loads.flatMap(({ units, rate }) => [
      microseconds(leakTimeNs(units, rate)),
      microseconds(MAX_BURSTS * leakTimeNs(rate.burst, rate)),
    ]);
    const levels = await this.#client.heddleAddUses(keys.length, ...keys, ...args);
    return levels.map((level) => BigInt(level) * NS_PER_US);
  }
}

/** Rounded up, so that the rate is never exceeded. */
function microseconds(ns: bigint): string {
  return String((ns + NS_PER_US - 1n) / NS_PER_US);
}
