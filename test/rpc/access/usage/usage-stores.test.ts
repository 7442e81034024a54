// The embedded and the shared store of usage behave alike.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parseRedisUrl } from '../../../../src/config/quota-store-url.js';
import { RedisQuotaStore } from '../../../../src/rpc/access/redis/redis-quota-store.js';
import { EmbeddedUsageStore } from '../../../../src/rpc/access/usage/embedded-usage-store.js';
import type { TokenDay, UsageStore } from '../../../../src/rpc/access/usage/usage.js';
import { openStore } from '../../../../src/storage/open-store.js';
import type { Store } from '../../../../src/storage/store.js';
import { removeDirectory, temporaryDirectory } from '../../../support/temporary-directory.js';
import { RedisServer, WITHOUT_REDIS } from '../../../support/tokens/redis-server.js';

const METHODS = [{ method: 'status', calls: 2, units: 3 }];

function used(day: string, token: string, methods: TokenDay['methods'] = METHODS): TokenDay {
  return { day, token, subject: `sub of ${token}`, methods };
}

/** @param stores of two nodes, the same one for a store that is not shared */
function behaviour(stores: () => readonly [UsageStore, UsageStore]): void {
  const all = { from: '2026-01-01', to: '2026-12-31', limit: 1_000 };

  test('adds up the usage of all nodes', async () => {
    const [one, other] = stores();
    const day = '2026-01-01';
    await one.add([used(day, 'sum')]);
    await other.add([used(day, 'sum', [...METHODS, { method: 'get_logs', calls: 1, units: 20 }])]);
    await one.add([used(day, 'sum', [{ method: 'status', calls: 0, units: 5 }])]);
    const [found, ...more] = await other.usage({ ...all, token: 'sum' });
    assert.deepEqual(more, []);
    assert.deepEqual(
      { ...found, methods: found?.methods.toSorted((a, b) => (a.method < b.method ? -1 : 1)) },
      used(day, 'sum', [
        { method: 'get_logs', calls: 1, units: 20 },
        { method: 'status', calls: 4, units: 11 },
      ]),
    );
  });

  test('lists the days of a token within a range, a page at a time', async () => {
    const [store] = stores();
    const days = ['2026-02-28', '2026-03-01', '2026-03-02', '2026-03-05'];
    await store.add([...days.map((day) => used(day, 'paged')), used('2026-03-01', 'paged2')]);
    const query = { from: '2026-03-01', to: '2026-03-05', token: 'paged' };
    const first = await store.usage({ ...query, limit: 2 });
    assert.deepEqual(first, [used('2026-03-01', 'paged'), used('2026-03-02', 'paged')]);
    const rest = await store.usage({ ...query, after: first.at(-1), limit: 2 });
    assert.deepEqual(rest, [used('2026-03-05', 'paged')]);
    assert.deepEqual(await store.usage({ ...query, after: rest.at(-1), limit: 2 }), []);
  });

  test('lists all tokens by day and id, a page at a time, whatever their ids', async () => {
    const [store] = stores();
    const ids = ['', '/', 'a', 'a\0', 'a/b', 'a:b', '__proto__', '[', '(', 'é', '\u{10ffff}', '９'];
    const range = { from: '2026-04-01', to: '2026-04-02' };
    await store.add([...ids.map((id) => used(range.from, id)), used(range.to, 'last')]);
    const found: TokenDay[] = [];
    for (let page: readonly TokenDay[] = []; ; found.push(...page)) {
      page = await store.usage({ ...range, after: found.at(-1), limit: 5 });
      assert.ok(page.length <= 5);
      if (page.length === 0) break;
    }
    const sorted = ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    assert.deepEqual(found, [...sorted.map((id) => used(range.from, id)), used(range.to, 'last')]);
  });

  test('shows no count below zero after a refund of the day before', async () => {
    const [store] = stores();
    await store.add([used('2026-05-01', 'refunded', [{ method: 'status', calls: -1, units: -1 }])]);
    const [found] = await store.usage({ ...all, from: '2026-05-01', to: '2026-05-01' });
    assert.deepEqual(found?.methods, [{ method: 'status', calls: 0, units: 0 }]);
  });
}

describe('the embedded store of usage', () => {
  const directory = temporaryDirectory();
  let store: Store;
  let usage: EmbeddedUsageStore;
  before(async () => {
    store = await openStore({ directory: join(directory, 'store'), native: 'off', report: () => undefined });
    usage = new EmbeddedUsageStore(store);
  });
  after(async () => {
    await store.close();
    removeDirectory(directory);
  });

  behaviour(() => [usage, usage]);

  test('deletes the days before a day, and nothing else', async () => {
    const [before, kept] = ['2025-06-30', '2025-07-01'];
    await usage.add(Array.from({ length: 2_500 }, (_, at) => used(before, `t${at}`)));
    await usage.add([used(kept, 't')]);
    await usage.purge(kept);
    const [oldest] = await usage.usage({ from: '2025-06-01', to: '2026-01-01', limit: 1 });
    assert.deepEqual(oldest, used(kept, 't'));
  });
});

describe('the store of usage in Redis', { skip: WITHOUT_REDIS }, () => {
  let server: RedisServer;
  const nodes: RedisQuotaStore[] = [];
  before(async () => {
    server = await RedisServer.start();
    const address = parseRedisUrl(server.url);
    assert.ok(address !== undefined);
    for (const _ of [1, 2]) nodes.push(await RedisQuotaStore.open(address, 60_000));
  });
  after(async () => {
    for (const node of nodes) node.close();
    await server.dispose();
  });

  behaviour(() => {
    const [one, other] = nodes;
    assert.ok(one !== undefined && other !== undefined);
    return [one.usage, other.usage];
  });

  test('expires a day by itself', async () => {
    await nodes[0]?.usage.add([used('2020-01-01', 'old')]);
    assert.equal(await server.command('KEYS heddle:usage:2020*'), '*0\r\n', 'its time is over');
    for (const key of ['heddle:usage:2026-01-01', 'heddle:usage:2026-01-01:sum']) {
      const leftMs = Number((await server.command(`PTTL ${key}`)).slice(1));
      const lateMs = Date.now() + leftMs - Date.parse('2027-02-06');
      assert.ok(Math.abs(lateMs) < 60_000, `${key} expires ${lateMs} ms late`);
    }
  });
});
