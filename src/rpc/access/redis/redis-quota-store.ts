import type { Redis, Result } from 'ioredis';
import { leakTimeNs, type Rate } from '../../../async/gcra.js';
import type { RedisAddress } from '../../../config/quota-store-url.js';
import {
  compareRecords,
  KEEP_EXPIRED_MS,
  notPrepaid,
  QuotaError,
  type TokenRecord,
  tooManyUnits,
  unknownToken,
} from '../quota-store.js';
import type {
  AddressLoad,
  QuotaStoreWatcher,
  RateLease,
  Revocations,
  SharedAddressLevels,
  SharedQuotaStore,
} from '../shared-quota-store.js';
import { recordFields, recordOf } from './record-fields.js';
import { RedisLink } from './redis-link.js';
import { ADD_USES, GIVE_BACK, LEASE, REGISTER, REVOKE, TAKE, TOP_UP } from './redis-scripts.js';
import { RedisUsage } from './redis-usage.js';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    heddleRegister(record: string, index: string, ...args: readonly string[]): Result<string[], Context>;
    heddleTake(record: string, units: string, least: string): Result<number, Context>;
    heddleGiveBack(record: string, units: string): Result<number, Context>;
    heddleTopUp(
      record: string,
      ...args: readonly string[]
    ): Result<[code: string, record: string[]], Context>;
    heddleRevoke(record: string, ...keysAndArgs: readonly string[]): Result<string[], Context>;
    heddleLease(
      bucket: string,
      ...args: readonly string[]
    ): Result<[units: number, emptyMs: number], Context>;
    heddleAddUses(buckets: number, ...keysAndArgs: readonly string[]): Result<number[], Context>;
  }
}

const PREFIX = 'heddle:';
const INDEX = `${PREFIX}tokens`;
const REVOCATIONS = `${PREFIX}revocations`;
const SEQUENCE = `${PREFIX}revocation`;
const PIPELINE = 500;
/** The bucket of an address holds this many bursts at most: more than the nodes let through at one moment. */
const MAX_BURSTS = 64n;
const NS_PER_US = 1_000n;

/** Quota store in a Redis server, for all nodes of a fleet; see `redis-scripts.ts` for its keys. */
export class RedisQuotaStore implements SharedQuotaStore, SharedAddressLevels {
  readonly usage: RedisUsage;
  readonly #link: RedisLink;
  readonly #channel: string;
  #subscriber: Redis | undefined;

  private constructor(link: RedisLink, database: number) {
    this.#link = link;
    this.usage = new RedisUsage(link, `${PREFIX}usage`);
    // Channels do not belong to a database.
    this.#channel = `${PREFIX}revoked:${database}`;
    link.client.defineCommand('heddleRegister', { numberOfKeys: 2, lua: REGISTER });
    link.client.defineCommand('heddleTake', { numberOfKeys: 1, lua: TAKE });
    link.client.defineCommand('heddleGiveBack', { numberOfKeys: 1, lua: GIVE_BACK });
    link.client.defineCommand('heddleTopUp', { numberOfKeys: 1, lua: TOP_UP });
    link.client.defineCommand('heddleRevoke', { numberOfKeys: 3, lua: REVOKE });
    link.client.defineCommand('heddleLease', { numberOfKeys: 1, lua: LEASE });
    link.client.defineCommand('heddleAddUses', { lua: ADD_USES });
  }

  /** A server that cannot be reached is tried again until it is up. @throws QuotaError refused */
  static async open(address: RedisAddress, commandMs?: number): Promise<RedisQuotaStore> {
    return new RedisQuotaStore(await RedisLink.open(address, commandMs), address.database);
  }

  get isUp(): boolean {
    return this.#link.isUp;
  }

  get name(): string {
    return this.#link.name;
  }

  /** Why the store is not up, without secrets. */
  get why(): string {
    return this.#link.why;
  }

  watch(watcher: QuotaStoreWatcher): void {
    this.#link.watch(watcher);
    const subscriber = this.#link.subscriber();
    this.#subscriber = subscriber;
    subscriber.on('message', (_channel: string, id: string) => watcher.onRevoked(id));
    subscriber.on(
      'ready',
      () => void subscriber.subscribe(this.#channel).catch(() => subscriber.disconnect(true)),
    );
  }

  get(id: string): Promise<TokenRecord | undefined> {
    return this.#link.run(async (client) => recordOf(id, entries(await client.hgetall(keyOf(id)))));
  }

  register(record: TokenRecord): Promise<TokenRecord> {
    const { id, expiresMs } = record;
    const times = [expiresMs, expiresMs + KEEP_EXPIRED_MS].map(String);
    return this.#link.run(async (client) => {
      const stored = await client.heddleRegister(keyOf(id), INDEX, id, ...times, ...recordFields(record));
      // Redis has already dropped the record of a token that expired long ago.
      return recordOf(id, stored) ?? record;
    });
  }

  take(id: string, units: number, least: number): Promise<number> {
    if (units <= 0) return Promise.resolve(0);
    return this.#link.run((client) => client.heddleTake(keyOf(id), String(units), String(least)));
  }

  async giveBack(id: string, units: number): Promise<void> {
    if (units <= 0) return;
    await this.#link.run((client) => client.heddleGiveBack(keyOf(id), String(units)));
  }

  async topUp(id: string, units: number): Promise<TokenRecord> {
    const [code, fields] = await this.#link.run((client) =>
      client.heddleTopUp(keyOf(id), String(units), String(Number.MAX_SAFE_INTEGER)),
    );
    if (code === 'not_prepaid') throw notPrepaid(id);
    if (code === 'too_many_units') throw tooManyUnits();
    return known(id, fields);
  }

  async revoke(id: string, nowMs: number): Promise<TokenRecord> {
    const args = [REVOCATIONS, SEQUENCE, id, String(nowMs), this.#channel];
    return known(id, await this.#link.run((client) => client.heddleRevoke(keyOf(id), ...args)));
  }

  async list(): Promise<readonly TokenRecord[]> {
    const ids = await this.#link.run((client) => client.zrange(INDEX, '0', '-1'));
    const records = await this.#eachOf(ids, (pipeline, id) => pipeline.hgetall(keyOf(id)));
    return ids
      .flatMap((id, at) => recordOf(id, entries(records[at] as Record<string, string>)) ?? [])
      .sort(compareRecords);
  }

  /** Removes expired tokens from the list; Redis drops their records by itself. */
  async purge(beforeMs: number): Promise<void> {
    await this.#link.run((client) => client.zremrangebyscore(INDEX, '-inf', `(${beforeMs}`));
  }

  async leaseRate(id: string, asked: number, { perSecond, burst }: Rate): Promise<RateLease> {
    const args = [asked, perSecond, burst].map(String);
    const [units, emptyMs] = await this.#link.run((client) =>
      client.heddleLease(`${PREFIX}rate:${id}`, ...args),
    );
    return { units, emptyMs };
  }

  async addUses(loads: readonly AddressLoad[]): Promise<readonly bigint[]> {
    if (loads.length === 0) return [];
    const keys = loads.map(({ client }) => `${PREFIX}address:${client.replace(' ', ':')}`);
    const args = loads.flatMap(({ units, rate }) => [
      microseconds(leakTimeNs(units, rate)),
      microseconds(MAX_BURSTS * leakTimeNs(rate.burst, rate)),
    ]);
    const levels = await this.#link.run((client) => client.heddleAddUses(keys.length, ...keys, ...args));
    return levels.map((level) => BigInt(level) * NS_PER_US);
  }

  revokedSince(cursor: number | undefined): Promise<Revocations> {
    return this.#link.run(async (client) => {
      if (cursor === undefined) return { ids: [], cursor: Number((await client.get(SEQUENCE)) ?? 0) };
      const found = await client.zrangebyscore(REVOCATIONS, `(${cursor}`, '+inf', 'WITHSCORES');
      const ids = found.filter((_, at) => at % 2 === 0);
      return { ids, cursor: Number(found.at(-1) ?? cursor) };
    });
  }

  async revokedOf(ids: readonly string[]): Promise<readonly string[]> {
    const revoked = await this.#eachOf(ids, (pipeline, id) => pipeline.hexists(keyOf(id), 'revoked_ms'));
    return ids.filter((_, at) => revoked[at] === 1);
  }

  /** The server's settings that decide which failures lose balances; undefined if it does not tell. */
  async settings(): Promise<ReadonlyMap<string, string> | undefined> {
    try {
      const settings = new Map<string, string>();
      for (const name of ['appendonly', 'appendfsync', 'maxmemory-policy']) {
        const pair = await this.#link.run((client) => client.call('config', 'get', name));
        settings.set(name, (pair as readonly string[])[1] ?? '');
      }
      return settings;
    } catch (error) {
      // Managed servers refuse the command.
      if (error instanceof QuotaError && this.isUp) return undefined;
      throw error;
    }
  }

  close(): void {
    this.#subscriber?.disconnect();
    this.#link.close();
  }

  /** Runs a command for each id, some at a time. */
  async #eachOf(
    ids: readonly string[],
    add: (pipeline: ReturnType<Redis['pipeline']>, id: string) => unknown,
  ): Promise<unknown[]> {
    const results: unknown[] = [];
    for (let begin = 0; begin < ids.length; begin += PIPELINE) {
      const some = await this.#link.pipeline((pipeline) => {
        for (const id of ids.slice(begin, begin + PIPELINE)) add(pipeline, id);
      });
      results.push(...some);
    }
    return results;
  }
}

function keyOf(id: string): string {
  return `${PREFIX}token:${id}`;
}

/** Rounded up, so that the rate is never exceeded. */
function microseconds(ns: bigint): string {
  return String((ns + NS_PER_US - 1n) / NS_PER_US);
}

function known(id: string, fields: readonly string[]): TokenRecord {
  const record = recordOf(id, fields);
  if (record === undefined) throw unknownToken(id);
  return record;
}

function entries(hash: Readonly<Record<string, string>>): string[] {
  return Object.entries(hash).flat();
}
