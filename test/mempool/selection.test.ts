import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PoolWorld } from '../support/worlds/pool-world.js';

test('the transaction that pays the proposer more is drawn first', () => {
  const world = new PoolWorld();
  const low = world.add({ from: 'a', tip: 1 });
  const high = world.add({ from: 'b', tip: 3 });
  const middle = world.add({ from: 'c', tip: 2 });
  assert.deepEqual(world.select(), [high, middle, low]);
});

test('the tip is capped by max_fee minus the base fee', () => {
  const world = new PoolWorld({}, { baseFee: 90n });
  const capped = world.add({ from: 'a', maxFee: 100, tip: 50 });
  const plain = world.add({ from: 'b', maxFee: 200, tip: 20 });
  assert.deepEqual(world.select(), [plain, capped]);
});

test('the order depends on the base fee', () => {
  const world = new PoolWorld({}, { baseFee: 10n });
  const capped = world.add({ from: 'a', maxFee: 100, tip: 50 });
  const plain = world.add({ from: 'b', maxFee: 1_000, tip: 20 });
  assert.deepEqual(world.select(), [capped, plain]);
  world.seal([], { baseFee: 85n });
  assert.deepEqual(world.select(), [plain, capped]);
  world.seal([], { baseFee: 101n });
  assert.deepEqual(world.select(), [plain]);
  world.seal([], { baseFee: 100n });
  assert.deepEqual(world.select(), [plain, capped]);
});

test('equal tips are drawn in the order of arrival', () => {
  const world = new PoolWorld();
  const names = ['d', 'a', 'c', 'b', 'e'];
  const expected = names.map((from) => world.add({ from }));
  assert.deepEqual(world.select(), expected);
});

test('an expensive transaction waits for the cheap one before it in its lane, and follows right behind it', () => {
  const world = new PoolWorld();
  const cheap = world.add({ from: 'a', nonce: 0, tip: 1 });
  const expensive = world.add({ from: 'a', nonce: 1, tip: 100 });
  const other = world.add({ from: 'b', tip: 50 });
  const least = world.add({ from: 'c', tip: 0 });
  assert.deepEqual(world.select(), [other, cheap, expensive, least]);
});

test('drawing leaves the pool unchanged', () => {
  const world = new PoolWorld();
  for (const from of ['a', 'b', 'c']) for (const nonce of [0, 1, 2]) world.add({ from, nonce, tip: nonce });
  const stats = world.pool.stats();
  const first = world.select();
  assert.deepEqual(world.select(), first);
  assert.deepEqual(world.pool.stats(), stats);
});

test('a transaction that exceeds the remaining gas is skipped with its lane, smaller ones after it are drawn', () => {
  const world = new PoolWorld();
  const first = world.add({ from: 'a', tip: 9, gas: 60_000 });
  world.add({ from: 'b', nonce: 0, tip: 8, gas: 50_000 });
  world.add({ from: 'b', nonce: 1, tip: 8, gas: 30_000 });
  const small = world.add({ from: 'c', tip: 7, gas: 40_000 });
  assert.deepEqual(world.select({ gasLimit: 100_000n }), [first, small]);
});

test('a block respects its limit of bytes, each item one byte more than its transaction', () => {
  const world = new PoolWorld();
  const first = world.add({ from: 'a', tip: 9, bytes: 200 });
  world.add({ from: 'b', tip: 8, bytes: 300 });
  const small = world.add({ from: 'c', tip: 7, bytes: 200 });
  assert.deepEqual(world.select({ maxBytes: 402 }), [first, small]);
  assert.deepEqual(world.select({ maxBytes: 401 }), [first]);
});

test('a block holds no more transactions than asked for', () => {
  const world = new PoolWorld();
  const first = world.add({ from: 'a', tip: 2 });
  world.add({ from: 'b', tip: 1 });
  assert.deepEqual(world.select({ maxTransactions: 1 }), [first]);
});

test('an expired transaction is not drawn but leaves, and its successors wait', () => {
  const world = new PoolWorld({}, { height: 10n });
  const expiring = world.add({ nonce: 0, validUntil: 10 });
  const behind = world.add({ nonce: 1 });
  assert.deepEqual(world.select(), [expiring, behind]);
  world.seal([]);
  assert.deepEqual(world.select(), []);
  assert.equal(world.reasonOf(expiring), 'expired');
  assert.deepEqual([world.pool.stats().ready, world.pool.stats().gapped], [0, 1]);
});

test('drawing for a later height drops transactions that expire before it', () => {
  const world = new PoolWorld({}, { height: 10n });
  const expiring = world.add({ validUntil: 11 });
  assert.deepEqual(world.pool.select({ ...world.head, height: 12n }).transactions, []);
  assert.equal(world.reasonOf(expiring), 'expired');
});
