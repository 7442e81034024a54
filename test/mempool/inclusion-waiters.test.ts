import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { transactionHashHex } from '../../src/ledger/hex-types.js';
import { InclusionWaiters } from '../../src/mempool/inclusion-waiters.js';

const HASHES = [0xaa, 0xbb, 0xcc, 0xdd].map((byte) => transactionHashHex(Buffer.alloc(32, byte)));
const [FIRST = assert.fail(), SECOND = assert.fail(), THIRD = assert.fail()] = HASHES;
const LONG_MS = 600_000;

class World {
  readonly waiters: InclusionWaiters;
  readonly ended: string[] = [];

  constructor(maxWaiters: number, maxPerClient: number) {
    this.waiters = new InclusionWaiters({ maxWaiters, maxPerClient });
  }

  wait(name: string, client: string, hash = FIRST, signal = new AbortController().signal): void {
    void this.waiters.wait(hash, { client, timeoutMs: LONG_MS, signal }).then(() => this.ended.push(name));
  }

  async settled(): Promise<readonly string[]> {
    await new Promise((resolve) => setImmediate(resolve));
    return this.ended;
  }
}

describe('callers waiting for transactions', () => {
  test('are told when their own transaction is decided, and no other caller is', async () => {
    const world = new World(10, 10);
    world.wait('one', 'a');
    world.wait('two', 'b');
    world.wait('other', 'a', SECOND);
    world.waiters.settle([{ hashHex: FIRST }, { hashHex: THIRD }]);
    assert.deepEqual(await world.settled(), ['one', 'two']);
    assert.equal(world.waiters.size, 1);
    world.waiters.settleAll();
    assert.deepEqual(await world.settled(), ['one', 'two', 'other']);
    assert.equal(world.waiters.size, 0);
  });

  test('have a limit per client: one more replaces the client’s oldest', async () => {
    const world = new World(10, 2);
    for (const [at, name] of ['one', 'two', 'three'].entries()) world.wait(name, 'a', HASHES[at]);
    world.wait('of another', 'b');
    assert.deepEqual(await world.settled(), ['one']);
    assert.equal(world.waiters.size, 3);
    world.waiters.settle([{ hashHex: SECOND }]);
    world.wait('four', 'a');
    assert.deepEqual(await world.settled(), ['one', 'two']);
    world.waiters.settleAll();
    assert.equal(world.waiters.size, 0);
  });

  test('are evicted, when all slots are taken, from the client with the most', async () => {
    const world = new World(4, 4);
    for (const name of ['a1', 'a2', 'a3']) world.wait(name, 'a');
    world.wait('b1', 'b', SECOND);
    world.wait('c1', 'c', SECOND);
    assert.deepEqual(await world.settled(), ['a1']);
    for (const name of ['b2', 'b3']) world.wait(name, 'b', SECOND);
    assert.deepEqual(await world.settled(), ['a1', 'a2', 'b1']);
    assert.equal(world.waiters.size, 4);
    world.waiters.settleAll();
  });

  test('leave with their connection, and take no slot if it has already gone', async () => {
    const world = new World(2, 2);
    const connection = new AbortController();
    world.wait('one', 'a', FIRST, connection.signal);
    world.wait('two', 'a', SECOND, connection.signal);
    connection.abort();
    assert.deepEqual(await world.settled(), ['one', 'two']);
    world.wait('late', 'a', FIRST, connection.signal);
    assert.deepEqual(await world.settled(), ['one', 'two', 'late']);
    assert.equal(world.waiters.size, 0);
  });

  test('wait no longer than they ask to', async () => {
    const waiters = new InclusionWaiters({ maxWaiters: 1, maxPerClient: 1 });
    await waiters.wait(FIRST, { client: 'a', timeoutMs: 1, signal: new AbortController().signal });
    assert.equal(waiters.size, 0);
  });
});
