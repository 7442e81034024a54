import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseRedisUrl } from '../../../../src/config/quota-store-url.js';
import { QuotaError, type TokenRecord } from '../../../../src/rpc/access/quota-store.js';
import { RedisQuotaStore } from '../../../../src/rpc/access/redis/redis-quota-store.js';
import { sharedRate } from '../../../../src/rpc/access/shared-quota-store.js';
import { eventually } from '../../../support/eventually.js';
import { RedisServer, WITHOUT_REDIS } from '../../../support/tokens/redis-server.js';

const HOUR_MS = 3_600_000;

/** A store that waits for a server on a machine that stalls. */
async function connect(url: string, commandMs: number | undefined = 60_000): Promise<RedisQuotaStore> {
  const address = parseRedisUrl(url);
  assert.ok(address !== undefined);
  return RedisQuotaStore.open(address, commandMs);
}

const withCode = (code: string) => (error: unknown) => error instanceof QuotaError && error.code === code;

describe('the Redis quota store', { skip: WITHOUT_REDIS }, () => {
  let server: RedisServer;
  let store: RedisQuotaStore;
  const opened: RedisQuotaStore[] = [];
  const open = async (commandMs?: number): Promise<RedisQuotaStore> => {
    const another = await connect(server.url, commandMs);
    opened.push(another);
    return another;
  };
  before(async () => {
    server = await RedisServer.start();
    store = await open();
  });
  after(async () => {
    for (const one of opened) one.close();
    await server.dispose();
  });

  const record = (id: string, units?: number): TokenRecord => ({
    id,
    subject: 'ann',
    tier: 'paid',
    rate: undefined,
    gas: undefined,
    time: undefined,
    units,
    left: units ?? 0,
    issuedMs: Date.now(),
    expiresMs: Date.now() + HOUR_MS,
    revokedMs: undefined,
  });

  test('records a token once and returns it whole', async () => {
    const first = { ...record('whole', 1_000), rate: 7, gas: 20_000_000, time: 300 };
    assert.deepEqual(await store.register(first), first);
    assert.deepEqual(await (await open()).register({ ...first, units: 5, left: 5, subject: 'bob' }), first);
    assert.deepEqual(await store.get('whole'), first);
    assert.equal(await store.get('unknown'), undefined);
    const unlimited = record('unlimited');
    assert.deepEqual(await store.register(unlimited), unlimited);
  });

  test('leaves most of a small balance to the other nodes', async () => {
    await store.register(record('small', 100));
    assert.equal(await store.take('small', 256, 1), 25);
    assert.equal(await store.take('small', 256, 50), 50);
    assert.equal(await store.take('small', 256, 1), 7);
    assert.equal(await store.take('small', 256, 50), 18);
    assert.equal(await store.take('small', 256, 1), 0);
  });

  test('hands out exactly the units of a token to many nodes at once', async () => {
    await store.register(record('shared', 10_007));
    const nodes = await Promise.all(Array.from({ length: 4 }, () => open()));
    const taken = await Promise.all(
      Array.from(
        { length: 400 },
        (_, at) => nodes[at % 4]?.take('shared', 1 + (at % 60), 1 + (at % 60)) ?? 0,
      ),
    );
    assert.equal(
      taken.reduce((sum, units) => sum + units, 0),
      10_007,
    );
    await store.giveBack('shared', 7);
    assert.equal((await store.get('shared'))?.left, 7);
    await store.giveBack('shared', 1_000_000);
    assert.equal((await store.get('shared'))?.left, 10_007, 'not more than was granted');
    assert.equal(await store.take('unknown', 5, 5), 0);
    await store.giveBack('unknown', 5);
    assert.equal(await store.get('unknown'), undefined);
  });

  test('counts exactly up to the largest balance', async () => {
    const most = Number.MAX_SAFE_INTEGER;
    await store.register(record('rich', most - 1));
    assert.equal((await store.topUp('rich', 1)).units, most);
    await assert.rejects(store.topUp('rich', 1), withCode('too_many_units'));
    assert.equal(await store.take('rich', 1, 1), 1);
    assert.equal((await store.get('rich'))?.left, most - 1);
  });

  test('tops up prepaid tokens only', async () => {
    await store.register(record('poor', 0));
    assert.equal((await store.topUp('poor', 25)).left, 25);
    await assert.rejects(store.topUp('nobody', 1), withCode('unknown_token'));
    await store.register(record('free'));
    await assert.rejects(store.topUp('free', 1), withCode('not_prepaid'));
  });

  test('tells all nodes of a revocation, by message and on request', async () => {
    const other = await open();
    const told: string[] = [];
    other.watch({ onUp: () => undefined, onDown: () => undefined, onRevoked: (id) => told.push(id) });
    const { cursor } = await other.revokedSince(undefined);
    await store.register(record('stolen', 50));
    await eventually('the message arrives', async () => {
      // Its subscription may need a moment.
      await store.revoke('stolen', 1_234);
      return told.includes('stolen');
    });
    assert.deepEqual((await other.revokedSince(cursor)).ids, ['stolen']);
    assert.deepEqual((await other.revokedSince((await other.revokedSince(cursor)).cursor)).ids, []);
    assert.deepEqual(await other.revokedOf(['whole', 'stolen', 'unknown']), ['stolen']);
    assert.equal((await store.get('stolen'))?.revokedMs, 1_234);
    assert.equal(await store.take('stolen', 1, 1), 0);
    await assert.rejects(store.revoke('nobody', 1), withCode('unknown_token'));
  });

  test('lists all tokens by their time of issue, and drops expired ones', async () => {
    await store.register({ ...record('old', 1), issuedMs: 5, expiresMs: Date.now() - 31 * 24 * HOUR_MS });
    await store.register({ ...record('older'), issuedMs: 1 });
    const ids = (await store.list()).map(({ id }) => id);
    assert.equal(ids[0], 'older');
    assert.ok(ids.includes('whole') && !ids.includes('old'));
    await store.purge(Date.now());
    assert.equal(await server.command('ZSCORE heddle:tokens old'), '$-1\r\n');
    assert.ok(!(await server.command('PTTL heddle:token:whole')).startsWith(':-'), 'records expire');
  });

  test('leases no more than a rate allows, to all nodes together', async () => {
    const nodes = await Promise.all(Array.from({ length: 3 }, () => open()));
    const rate = sharedRate(1_000, 50);
    assert.equal(rate.burst, 1_000);
    const begin = performance.now();
    let leased = 0;
    for (let ms = 0; ms < 1_000 || (leased < 1_000 && ms < 5_000); ms = performance.now() - begin) {
      const leases = await Promise.all(nodes.map((node) => node.leaseRate('fast', 97, rate)));
      leased += leases.reduce((sum, { units }) => sum + units, 0);
    }
    const seconds = (performance.now() - begin) / 1_000;
    // The bucket holds a quarter of a second less than the burst.
    assert.ok(leased <= 750 + 1_000 * seconds, `${leased} units in ${seconds} s`);
    assert.ok(leased >= 1_000, `${leased} units`);
    assert.equal((await store.leaseRate('slow', 50, sharedRate(1, 50))).units, 50, 'a dear call fits');
  });

  test('is down while the server is, and loses nothing when the server is killed', async () => {
    const told: string[] = [];
    const other = await open();
    other.watch({ onUp: () => undefined, onDown: () => undefined, onRevoked: (id) => told.push(id) });
    const arrives = async (id: string): Promise<void> => {
      await store.register(record(id, 1));
      await eventually(`the message of ${id} arrives`, async () => {
        await store.revoke(id, 1_234);
        return told.includes(id);
      });
    };
    await arrives('before');
    await store.register(record('kept', 100));
    assert.equal(await store.take('kept', 30, 30), 30);
    await server.stop('SIGKILL');
    await eventually('the loss is noticed', async () => !store.isUp);
    await assert.rejects(store.take('kept', 1, 1), withCode('unavailable'));
    await server.start();
    await eventually('the store is back', async () => store.isUp);
    assert.equal(await store.take('kept', 100, 100), 70);
    await arrives('after');
  });

  test('never waits long for a server that hangs', async () => {
    const impatient = await open(1_000);
    server.signal('SIGSTOP');
    await assert.rejects(impatient.take('kept', 1, 1), withCode('unavailable'));
    server.signal('SIGCONT');
    await eventually('the store is back', async () => impatient.isUp);
  });

  test('reports a wrong password without showing it', async () => {
    const locked = await RedisServer.start('right-horse');
    try {
      const wrong = `redis://:wrong-horse@127.0.0.1:${locked.port}`;
      await assert.rejects(connect(wrong), (error: unknown) => {
        assert.ok(withCode('refused')(error));
        assert.match(
          String(error),
          /--quota-store redis:\/\/127\.0\.0\.1:\d+\/0 refuses this node: WRONGPASS/,
        );
        assert.doesNotMatch(JSON.stringify([String(error), error]), /wrong-horse/);
        return true;
      });
      await assert.rejects(connect(`redis://127.0.0.1:${locked.port}`), withCode('refused'));
      const right = await connect(locked.url);
      assert.equal(right.isUp, true);
      right.close();
    } finally {
      await locked.dispose();
    }
  });
});

describe('the URL of a Redis server', () => {
  test('names host, port, database, user and password', () => {
    assert.deepEqual(parseRedisUrl('rediss://ann:p%40ss@[::1]:7000/3'), {
      name: 'rediss://[::1]:7000/3',
      at: { host: '::1', port: 7_000 },
      tls: true,
      username: 'ann',
      password: 'p@ss',
      database: 3,
    });
    assert.deepEqual(parseRedisUrl('unix:///run/redis.sock?db=2'), {
      name: 'unix:///run/redis.sock?db=2',
      at: { path: '/run/redis.sock' },
      tls: false,
      username: undefined,
      password: undefined,
      database: 2,
    });
  });

  test('is refused in any other form', () => {
    for (const url of [
      ...['redis://', 'redis:host', 'http://host', 'redis://host/x', 'redis://host/0?a=b', 'redis://host#x'],
      ...[
        'unix://host/path',
        'unix:///',
        'unix:///path?x=1',
        'unix://:secret@/run/redis.sock',
        'redis://%zz@host',
        '',
        'host:6379',
      ],
    ]) {
      assert.equal(parseRedisUrl(url), undefined, url);
    }
  });
});
