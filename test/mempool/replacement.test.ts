import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, PoolWorld, poolTransaction } from '../support/worlds/pool-world.js';

test('ten per cent more on both fees replaces a transaction, less does not', () => {
  const world = new PoolWorld();
  const old = world.add({ maxFee: 1_000, tip: 100 });
  assert.equal(world.refuse({ maxFee: 1_099, tip: 200 }), 'replacement_underpriced');
  assert.equal(world.refuse({ maxFee: 2_000, tip: 109 }), 'replacement_underpriced');
  const replacement = world.add({ maxFee: 1_100, tip: 110 });
  assert.deepEqual(world.select(), [replacement]);
  assert.equal(world.pool.size, 1);
  assert.equal(world.reasonOf(old), 'replaced');
});

test('the ten per cent are rounded up to whole units of fee', () => {
  const world = new PoolWorld();
  world.add({ maxFee: 11, tip: 1 });
  assert.equal(world.refuse({ maxFee: 12, tip: 2 }), 'replacement_underpriced');
  assert.equal(world.refuse({ maxFee: 13, tip: 1 }), 'replacement_underpriced');
  world.add({ maxFee: 13, tip: 2 });
});

test('the refusal names the fees required', () => {
  const world = new PoolWorld();
  world.add({ maxFee: 1_000, tip: 100 });
  const result = world.offer(poolTransaction({ maxFee: 1_050, tip: 105 }));
  assert.ok(!result.admitted);
  assert.deepEqual(result.error.details, { needed_max_fee: 1_100n, needed_priority_fee: 110n });
});

test('a replacement may use the balance reserved for the replaced transaction', () => {
  const world = new PoolWorld();
  world.accounts.setBalance('alice', 30_000n * 1_100n + 1n);
  world.add({ maxFee: 1_000, tip: 100 });
  world.add({ maxFee: 1_100, tip: 110 });
  assert.equal(world.refuse({ maxFee: 1_210, tip: 121 }), 'insufficient_balance');
});

test('a replacement takes the old one’s place in its lane, with a new arrival', () => {
  const world = new PoolWorld();
  world.add({ nonce: 0 });
  world.add({ nonce: 1 });
  world.add({ nonce: 2 });
  const other = world.add({ from: 'bob', tip: 11 });
  const replacement = world.add({ nonce: 1, maxFee: 1_100, tip: 11 });
  assert.deepEqual(
    world.select().map(({ sender, signed }) => [sender === addressOf('alice'), signed.transaction.nonce]),
    [
      [false, 0n],
      [true, 0n],
      [true, 1n],
      [true, 2n],
    ],
  );
  assert.deepEqual(
    world.pool.list({ limit: 2 }).transactions.map(({ transaction }) => transaction),
    [replacement, other],
  );
});

test('a gapped transaction can be replaced however wide the gap is', () => {
  const world = new PoolWorld();
  world.add({ nonce: 0, validUntil: 10 });
  for (let nonce = 1; nonce <= 100; nonce++) world.add({ nonce });
  world.seal([]);
  assert.equal(world.pool.stats().gapped, 100);
  world.add({ nonce: 100, maxFee: 1_100, tip: 11 });
  assert.equal(world.pool.size, 100);
});

test('a replaced transaction comes back only for more than its replacement', () => {
  const world = new PoolWorld();
  const old = world.add({ maxFee: 1_000, tip: 100 });
  world.add({ maxFee: 1_100, tip: 110 });
  const again = world.offer(old);
  assert.equal(again.admitted ? undefined : again.error.reason, 'replacement_underpriced');
});

test('a full pool still accepts replacements', () => {
  const world = new PoolWorld({ maxTransactions: 2 });
  world.add({ from: 'a', maxFee: 1_000, tip: 100 });
  const other = world.add({ from: 'b', maxFee: 1_000, tip: 1 });
  const replacement = world.add({ from: 'a', maxFee: 1_100, tip: 110 });
  assert.deepEqual(world.select(), [replacement, other]);
});
