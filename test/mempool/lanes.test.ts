import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addressOf, noncesOf, PoolWorld } from '../support/worlds/pool-world.js';

const ALICE = addressOf('alice');

test('a nonce gap is held until it closes', () => {
  const world = new PoolWorld();
  world.add({ nonce: 1 });
  world.add({ nonce: 2 });
  assert.deepEqual(world.select(), []);
  assert.equal(world.pool.hasReady(), false);
  assert.deepEqual([world.pool.stats().ready, world.pool.stats().gapped], [0, 2]);
  world.add({ nonce: 0 });
  assert.deepEqual(noncesOf(world.select()), [0, 1, 2]);
  assert.deepEqual([world.pool.stats().ready, world.pool.stats().gapped], [3, 0]);
});

test('thirty concurrent transactions from one account in any order are all drawn, in nonce order', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(
        Array.from({ length: 30 }, (_, nonce) => nonce),
        { minLength: 30 },
      ),
      (nonces) => {
        const world = new PoolWorld();
        for (const nonce of nonces) world.add({ nonce, tip: (nonce * 7) % 30 });
        assert.deepEqual(
          noncesOf(world.select()),
          Array.from({ length: 30 }, (_, nonce) => nonce),
        );
      },
    ),
  );
});

test('lanes of one account do not wait for each other', () => {
  const world = new PoolWorld();
  world.add({ lane: 1, nonce: 1 });
  const free = world.add({ lane: 2, nonce: 0 });
  assert.deepEqual(world.select(), [free]);
});

test('the next nonce is the first one that is neither used nor waiting', () => {
  const world = new PoolWorld();
  world.accounts.setNonce('alice', 0, 3n);
  assert.equal(world.pool.nextNonce(ALICE, 0), 3n);
  world.add({ nonce: 3 });
  world.add({ nonce: 5 });
  assert.equal(world.pool.nextNonce(ALICE, 0), 4n);
  world.add({ nonce: 4 });
  assert.equal(world.pool.nextNonce(ALICE, 0), 6n);
  assert.equal(world.pool.nextNonce(ALICE, 9), 0n);
});

test('an account shows its lanes with their waiting transactions', () => {
  const world = new PoolWorld();
  world.add({ lane: 5, nonce: 0 });
  world.add({ lane: 2, nonce: 0 });
  world.add({ lane: 2, nonce: 3 });
  assert.deepEqual(world.pool.lanesOf(ALICE), [
    { lane: 2, pending: 2, nextNonce: 1n },
    { lane: 5, pending: 1, nextNonce: 1n },
  ]);
  assert.deepEqual(world.pool.lanesOf(addressOf('nobody')), []);
});

test('a block removes its transactions, and their successors stay ready', () => {
  const world = new PoolWorld();
  const all = [0, 1, 2, 3].map((nonce) => world.add({ nonce }));
  world.seal(all.slice(0, 2));
  assert.deepEqual(noncesOf(world.select()), [2, 3]);
  assert.equal(world.pool.stats().ready, 2);
  assert.deepEqual(
    world.removals.map(({ reason }) => reason),
    ['included', 'included'],
  );
  assert.equal(world.reasonOf(all[0] ?? assert.fail()), undefined);
});

test('a transaction whose nonce was used by another leaves as nonce_too_low', () => {
  const world = new PoolWorld();
  const ours = world.add({ nonce: 0 });
  const next = world.add({ nonce: 1 });
  world.accounts.setNonce('alice', 0, 1n);
  world.seal([], { changed: ['alice'] });
  assert.equal(world.reasonOf(ours), 'nonce_too_low');
  assert.deepEqual(world.select(), [next]);
});

test('a gap also closes when a block brings the missing nonce', () => {
  const world = new PoolWorld();
  const later = world.add({ nonce: 2 });
  world.accounts.setNonce('alice', 0, 2n);
  world.seal([], { changed: ['alice'] });
  assert.deepEqual(world.select(), [later]);
  assert.equal(world.pool.stats().gapped, 0);
});

test('a transaction behind a gap leaves when its time since arrival is up', () => {
  const world = new PoolWorld({ gappedTtlMs: 1_000 });
  const later = world.add({ nonce: 2 });
  world.clockMs = 600;
  world.accounts.setNonce('alice', 0, 1n);
  world.seal([], { changed: ['alice'] });
  world.clockMs = 999;
  world.pool.dropOverdue();
  assert.equal(world.pool.size, 1);
  world.clockMs = 1_000;
  world.pool.dropOverdue();
  assert.equal(world.reasonOf(later), 'expired');
});

test('a block that closes a gap and opens another restarts the time of transactions behind it', () => {
  const world = new PoolWorld({ gappedTtlMs: 1_000 });
  const later = world.add({ nonce: 2 });
  const between = world.add({ nonce: 1, validUntil: world.head.height });
  world.clockMs = 600;
  world.accounts.setNonce('alice', 0, 1n);
  world.seal([], { changed: ['alice'] });
  assert.equal(world.reasonOf(between), 'expired');
  world.clockMs = 1_599;
  world.pool.dropOverdue();
  assert.equal(world.pool.stats().gapped, 1);
  world.clockMs = 1_600;
  world.pool.dropOverdue();
  assert.equal(world.reasonOf(later), 'expired');
});

test('transactions that the balance no longer covers leave, the latest first', () => {
  const world = new PoolWorld();
  const cost = 30_000n * 1_000n + 1n;
  const first = world.add({ lane: 0, nonce: 0 });
  const second = world.add({ lane: 1, nonce: 0 });
  const third = world.add({ lane: 0, nonce: 1 });
  world.accounts.setBalance('alice', 2n * cost);
  world.seal([], { changed: ['alice'] });
  assert.equal(world.reasonOf(third), 'insufficient_balance');
  assert.deepEqual(world.select(), [first, second]);
  world.accounts.setBalance('alice', 0n);
  world.seal([], { changed: ['alice'] });
  assert.equal(world.pool.size, 0);
  assert.equal(world.reasonOf(second), 'insufficient_balance');
});

test('a lane keeps its order over thousands of blocks', () => {
  const world = new PoolWorld();
  let sealed = 0;
  for (let nonce = 0; nonce < 3_000; nonce++) {
    world.add({ nonce });
    if (nonce % 3 !== 2) continue;
    const drawn = world.select({ maxTransactions: 2 });
    assert.deepEqual(noncesOf(drawn), [sealed, sealed + 1]);
    world.seal(drawn);
    sealed += 2;
  }
  assert.equal(world.pool.lanesOf(ALICE)[0]?.pending, 1_000);
  assert.deepEqual(noncesOf(world.select()).at(-1), 2_999);
});
