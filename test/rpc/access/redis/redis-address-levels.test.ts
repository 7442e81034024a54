import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseRedisUrl } from '../../../../src/config/quota-store-url.js';
import { QuotaError } from '../../../../src/rpc/access/quota-store.js';
import { RedisQuotaStore } from '../../../../src/rpc/access/redis/redis-quota-store.js';
import { eventually } from '../../../support/eventually.js';
import { RedisServer, WITHOUT_REDIS } from '../../../support/tokens/redis-server.js';

const SECOND = 1_000_000_000n;

describe('the levels of addresses in Redis', { skip: WITHOUT_REDIS }, () => {
  let server: RedisServer;
  const nodes: RedisQuotaStore[] = [];
  before(async () => {
    server = await RedisServer.start();
    for (let at = 0; at < 3; at++) {
      const address = parseRedisUrl(server.url);
      assert.ok(address !== undefined);
      nodes.push(await RedisQuotaStore.open(address, 60_000));
    }
  });
  after(async () => {
    for (const node of nodes) node.close();
    await server.dispose();
  });
  const store = (at = 0): RedisQuotaStore => {
    const node = nodes[at];
    assert.ok(node !== undefined);
    return node;
  };
  const add = async (client: string, units: number, rate = { perSecond: 10, burst: 100 }, at = 0) =>
    (await store(at).addUses([{ client, units, rate }]))[0] ?? -1n;
  const keys = async (): Promise<number> =>
    Number((await server.command(`EVAL "return #redis.call('KEYS','heddle:address:*')" 0`)).slice(1));

  test('count the units of all nodes, even beyond a burst, and leak at the rate', async () => {
    const began = performance.now();
    const levels = await Promise.all([0, 1, 2].map((at) => add('paid 192.0.2.1', 100, undefined, at)));
    const [highest = 0n] = levels.sort((a, b) => Number(b - a));
    await sleep(500);
    const level = await add('paid 192.0.2.1', 1);
    const seconds = (performance.now() - began) / 1_000;
    assert.ok(highest <= 30n * SECOND && level <= 30n * SECOND, `${level}`);
    assert.ok(Number(level) / 1e9 >= 30.1 - seconds, `${level} after ${seconds} s`);
    assert.ok(level < highest + SECOND / 10n, 'it has leaked');
  });

  test('are separate for policies and addresses, and in order', async () => {
    const rate = { perSecond: 10, burst: 100 };
    const units = [1_000, 2_000, 3_000];
    const clients = ['public 192.0.2.7', 'paid 192.0.2.7', 'paid 2001:db8:0:7'];
    const loads = clients.map((client, at) => ({ client, units: units[at] ?? 0, rate }));
    assert.deepEqual(await store().addUses(loads), [100n * SECOND, 200n * SECOND, 300n * SECOND]);
    for (const key of ['public:192.0.2.7', 'paid:192.0.2.7', 'paid:2001:db8:0:7']) {
      assert.equal(await server.command(`EXISTS heddle:address:${key}`), ':1\r\n', key);
    }
    assert.deepEqual(await store().addUses([]), []);
  });

  test('take rates that a double cannot hold exactly, and never round in favour of the client', async () => {
    const level = await add('paid 192.0.2.8', 1, { perSecond: 3, burst: 50 });
    assert.equal(level, 333_334_000n);
  });

  test('expire when their buckets are empty', async () => {
    const before = await keys();
    const rate = { perSecond: 1_000, burst: 10_000 };
    const loads = Array.from({ length: 1_024 }, (_, at) => ({
      client: `paid 10.9.${at >> 8}.${at & 255}`,
      units: 150,
      rate,
    }));
    assert.equal((await store().addUses(loads)).length, 1_024);
    await eventually('all keys are gone', async () => (await keys()) <= before);
  });

  test('stay within 64 bursts, so that a clock which jumps back locks nobody out for long', async () => {
    await server.command('SET heddle:address:paid:192.0.2.9 99999999999999999');
    assert.equal(await add('paid 192.0.2.9', 1), 640n * SECOND);
    assert.ok(Number((await server.command('PTTL heddle:address:paid:192.0.2.9')).slice(1)) <= 640_000);
  });

  test('are unavailable while the server is, and survive its restart', async () => {
    await add('paid 192.0.2.10', 1_000);
    await server.stop('SIGKILL');
    await eventually('the loss is noticed', async () => !store().isUp);
    await assert.rejects(add('paid 192.0.2.10', 1), (error: unknown) => error instanceof QuotaError);
    await server.start();
    await eventually('the store is back', async () => store().isUp);
    assert.ok((await add('paid 192.0.2.10', 1)) > 60n * SECOND);
  });
});
