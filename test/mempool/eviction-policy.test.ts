import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PoolWorld, poolTransaction } from '../support/worlds/pool-world.js';

test('a full pool evicts its cheapest transaction for a more expensive one', () => {
  const world = new PoolWorld({ maxTransactions: 3 });
  const cheap = world.add({ from: 'a', tip: 1 });
  const middle = world.add({ from: 'b', tip: 2 });
  const expensive = world.add({ from: 'c', tip: 3 });
  const newcomer = world.add({ from: 'd', tip: 4 });
  assert.deepEqual(world.select(), [newcomer, expensive, middle]);
  assert.equal(world.reasonOf(cheap), 'evicted');
});

test('a full pool never evicts a transaction for one that pays as much or less', () => {
  const world = new PoolWorld({ maxTransactions: 2 });
  world.add({ from: 'a', tip: 5 });
  world.add({ from: 'b', tip: 6 });
  assert.equal(world.refuse({ from: 'c', tip: 5 }), 'fee_too_low');
  assert.equal(world.pool.precheck(poolTransaction({ from: 'c', tip: 5 }))?.reason, 'fee_too_low');
  world.add({ from: 'c', tip: 6 });
});

test('min_fee is the price of entry to a full pool', () => {
  const world = new PoolWorld({ maxTransactions: 2, minFee: 3n }, { baseFee: 7n });
  assert.equal(world.pool.stats().minFee, 3n);
  world.add({ from: 'a', maxFee: 100, tip: 5 });
  world.add({ from: 'b', maxFee: 100, tip: 6 });
  const { minFee } = world.pool.stats();
  assert.equal(minFee, 13n);
  assert.equal(world.refuse({ from: 'c', maxFee: minFee - 1n, tip: minFee - 1n }), 'fee_too_low');
  world.add({ from: 'c', maxFee: minFee, tip: minFee });
});

test('transactions behind a gap are evicted before ready ones, even more expensive ones', () => {
  const world = new PoolWorld({ maxTransactions: 3 });
  const ready = world.add({ from: 'a', tip: 1 });
  const gapped = world.add({ from: 'b', nonce: 5, tip: 3 });
  const other = world.add({ from: 'c', tip: 2 });
  const newcomer = world.add({ from: 'd', tip: 4 });
  assert.equal(world.reasonOf(gapped), 'evicted');
  assert.deepEqual(world.select(), [newcomer, other, ready]);
});

test('a newcomer behind a gap does not evict a ready transaction', () => {
  const world = new PoolWorld({ maxTransactions: 2 });
  world.add({ from: 'a', tip: 1 });
  world.add({ from: 'b', tip: 1 });
  assert.equal(world.refuse({ from: 'c', nonce: 1, tip: 100 }), 'pool_full');
});

test('eviction starts at the end of a lane, so it opens no gap', () => {
  const world = new PoolWorld({ maxTransactions: 3 });
  const head = world.add({ from: 'a', nonce: 0, tip: 1 });
  const middle = world.add({ from: 'a', nonce: 1, tip: 1 });
  const tail = world.add({ from: 'a', nonce: 2, tip: 5 });
  const newcomer = world.add({ from: 'b', tip: 9 });
  assert.equal(world.reasonOf(tail), 'evicted');
  assert.equal(world.pool.stats().gapped, 0);
  assert.deepEqual(world.select(), [newcomer, head, middle]);
});

test('a newcomer does not evict its predecessors in its own lane', () => {
  const world = new PoolWorld({ maxTransactions: 2 });
  const first = world.add({ from: 'a', nonce: 0, tip: 1 });
  const second = world.add({ from: 'a', nonce: 1, tip: 1 });
  assert.equal(world.refuse({ from: 'a', nonce: 2, tip: 9 }), 'pool_full');
  assert.deepEqual(world.select(), [first, second]);
});

test('a long newcomer evicts several transactions or none', () => {
  const world = new PoolWorld({ maxBytes: 1_000 });
  const cheap = [1, 2].map((tip) => world.add({ from: `cheap${tip}`, tip, bytes: 200 }));
  const expensive = [8, 9].map((tip) => world.add({ from: `expensive${tip}`, tip, bytes: 300 }));
  assert.equal(world.refuse({ from: 'c', tip: 5, bytes: 401 }), 'pool_full');
  assert.equal(world.pool.size, 4);
  const newcomer = world.add({ from: 'c', tip: 5, bytes: 400 });
  assert.deepEqual(
    cheap.map((transaction) => world.reasonOf(transaction)),
    ['evicted', 'evicted'],
  );
  assert.deepEqual(world.select(), [...expensive.reverse(), newcomer]);
  assert.equal(world.pool.stats().bytes, 1_000);
});

test('a transaction that cannot pay the base fee is the cheapest of all', () => {
  const world = new PoolWorld({ maxTransactions: 2 }, { baseFee: 100n });
  const unpayable = world.add({ from: 'a', maxFee: 99, tip: 99 });
  world.add({ from: 'b', maxFee: 1_000, tip: 1 });
  world.add({ from: 'c', maxFee: 1_000, tip: 0 });
  assert.equal(world.reasonOf(unpayable), 'evicted');
});

test('a bounded number of removals is remembered, and the oldest is forgotten first', () => {
  const world = new PoolWorld({ maxTransactions: 1, maxRemovals: 2 });
  const all = [1, 2, 3, 4].map((tip) => world.add({ from: `s${tip}`, tip }));
  assert.deepEqual(
    all.map((transaction) => world.reasonOf(transaction)),
    [undefined, 'evicted', 'evicted', undefined],
  );
});

test('a transaction that comes back is no longer remembered as removed', () => {
  const world = new PoolWorld({ maxTransactions: 1 });
  const first = world.add({ from: 'a', tip: 1 });
  const second = world.add({ from: 'b', tip: 2 });
  world.seal([second]);
  assert.equal(world.reasonOf(first), 'evicted');
  assert.ok(world.offer(first).admitted);
  assert.equal(world.reasonOf(first), undefined);
});

test('the caller can drop a transaction with its own reason', () => {
  const world = new PoolWorld();
  const first = world.add({ nonce: 0 });
  const behind = world.add({ nonce: 1 });
  assert.equal(world.pool.drop(first.hashHex, 'insufficient_balance', 'spent within the block'), true);
  assert.equal(world.pool.drop(first.hashHex, 'insufficient_balance', ''), false);
  assert.deepEqual(world.pool.removal(first.hashHex), {
    reason: 'insufficient_balance',
    message: 'spent within the block',
  });
  assert.equal(world.pool.get(behind.hashHex)?.ready, false);
});
