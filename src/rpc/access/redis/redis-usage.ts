import type { Result } from 'ioredis';
import {
  type MethodUse,
  methodUse,
  type TokenDay,
  type TokenDayKey,
  type UsageQuery,
  type UsageStore,
} from '../usage/usage.js';
import { dayAfter, daysOf, expiryOfDay } from '../usage/usage-days.js';
import type { RedisLink } from './redis-link.js';
import { ADD_USAGE } from './redis-scripts.js';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    heddleAddUsage(record: string, index: string, ...args: readonly string[]): Result<number, Context>;
  }
}

const SUBJECT = 'subject';
const CALLS = ' calls';
const UNITS = ' units';

/** Usage in Redis, summed over all nodes. It forgets a day's usage by itself. */
export class RedisUsage implements UsageStore {
  readonly #link: RedisLink;
  readonly #prefix: string;

  /** @param prefix of keys; a colon and the day follow, and for a record another colon and the token's id */
  constructor(link: RedisLink, prefix: string) {
    this.#link = link;
    this.#prefix = prefix;
    link.client.defineCommand('heddleAddUsage', { numberOfKeys: 2, lua: ADD_USAGE });
  }

  get isUp(): boolean {
    return this.#link.isUp;
  }

  async add(usage: readonly TokenDay[]): Promise<void> {
    await this.#link.pipeline((pipeline) => {
      for (const { day, token, subject, methods } of usage) {
        const counts = methods.flatMap(({ method, calls, units }) => [
          ...[`${method}${CALLS}`, String(calls)],
          ...[`${method}${UNITS}`, String(units)],
        ]);
        const args = [token, subject, String(expiryOfDay(day)), ...counts];
        pipeline.heddleAddUsage(this.#recordKey(day, token), this.#indexKey(day), ...args);
      }
    });
  }

  async usage({ from, to, token, after, limit }: UsageQuery): Promise<readonly TokenDay[]> {
    if (token !== undefined) {
      const days = daysOf(after === undefined ? from : dayAfter(after.day, 1), to);
      return (await this.#records(days.map((day) => ({ day, token })))).slice(0, limit);
    }
    const found: TokenDay[] = [];
    // Ids in a sorted set with equal scores are in the order of their bytes.
    for (const day of daysOf(after?.day ?? from, to)) {
      const min = after?.day === day ? `(${after.token}` : '-';
      const missing = limit - found.length;
      const ids = await this.#link.run((client) =>
        client.zrangebylex(this.#indexKey(day), min, '+', 'LIMIT', 0, missing),
      );
      found.push(...(await this.#records(ids.map((id) => ({ day, token: id })))));
      if (found.length >= limit) break;
    }
    return found;
  }

  async purge(): Promise<void> {
    // Redis drops the keys of a day when they expire.
  }

  async #records(asked: readonly TokenDayKey[]): Promise<readonly TokenDay[]> {
    const hashes = await this.#link.pipeline((pipeline) => {
      for (const { day, token } of asked) pipeline.hgetall(this.#recordKey(day, token));
    });
    return asked.flatMap(({ day, token }, at) => {
      const { [SUBJECT]: subject, ...counts } = hashes[at] as Record<string, string>;
      return subject === undefined ? [] : [{ day, token, subject, methods: methodsOf(counts) }];
    });
  }

  #indexKey(day: string): string {
    return `${this.#prefix}:${day}`;
  }

  #recordKey(day: string, token: string): string {
    return `${this.#prefix}:${day}:${token}`;
  }
}

function methodsOf(counts: Readonly<Record<string, string>>): readonly MethodUse[] {
  return Object.entries(counts).flatMap(([field, calls]) => {
    if (!field.endsWith(CALLS)) return [];
    const method = field.slice(0, -CALLS.length);
    return [methodUse(method, Number(calls), Number(counts[`${method}${UNITS}`] ?? 0))];
  });
}
