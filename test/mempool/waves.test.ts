import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VerifiedTransaction } from '../../src/ledger/transaction-envelope.js';
import type { BlockDraw } from '../../src/mempool/draw/block-draw.js';
import { PoolWorld } from '../support/worlds/pool-world.js';

const BLOCK = 1_000_000n;
const USED = 10_000n;

/** Draws from a block of a million gas in which each transaction uses ten thousand. */
function draw(world: PoolWorld, expected: bigint = USED): BlockDraw {
  return world.pool.draw({ ...world.head, gasLimit: BLOCK, expectedGas: () => expected });
}

const room = (gasLeft: bigint) => ({ gasLeft, bundleGas: 0n });

/** Seals a draw; every transaction uses the expected gas. */
function seal(world: PoolWorld): readonly VerifiedTransaction[] {
  const drawn = draw(world);
  const { transactions } = drawn.next(room(BLOCK));
  const gasUsed = USED * BigInt(transactions.length);
  drawn.settle([], room(BLOCK - gasUsed));
  world.pool.endDraw(drawn, { gasUsed });
  world.seal(transactions);
  return transactions;
}

test('a block is filled by expected gas, not by declared gas', () => {
  const world = new PoolWorld();
  const all = Array.from({ length: 90 }, (_, i) => world.add({ from: `s${i}`, gas: 50_000, tip: 1 }));
  assert.deepEqual(draw(world).next(room(BLOCK)).transactions, all);
});

test('gas left after execution is drawn for again, each lane from its current position', () => {
  const world = new PoolWorld();
  const lanes = ['a', 'b'].map((from) =>
    Array.from({ length: 12 }, (_, nonce) =>
      world.add({ from, nonce, gas: 100_000, tip: from === 'a' ? 2 : 1 }),
    ),
  );
  const drawn = draw(world, 100_000n);
  const first = drawn.next(room(BLOCK));
  assert.deepEqual(first.transactions, lanes[0]?.slice(0, 10));
  assert.equal(drawn.settle([], room(BLOCK - 10n * USED)), true, 'they used a tenth');
  const second = drawn.next(room(BLOCK - 10n * USED));
  assert.deepEqual(second.transactions, [...(lanes[0]?.slice(10) ?? []), ...(lanes[1]?.slice(0, 7) ?? [])]);
});

test('if everything that waits was drawn there is no further wave', () => {
  const world = new PoolWorld();
  world.add({ from: 'a', gas: 50_000 });
  const drawn = draw(world);
  drawn.next(room(BLOCK));
  world.add({ from: 'b', gas: 50_000 });
  assert.equal(drawn.settle([], room(BLOCK - USED)), false);
});

test('after a transaction is left out its lane ends for this block, and others take its place', () => {
  const world = new PoolWorld();
  const greedy = [0, 1].map((nonce) => world.add({ from: 'a', nonce, gas: 900_000, tip: 5 }));
  const small = world.add({ from: 'b', gas: 50_000, tip: 1 });
  const drawn = draw(world, 60_000n);
  assert.deepEqual(drawn.next(room(BLOCK)).transactions, [greedy[0], greedy[1], small].slice(0, 3));
  const left = room(100_000n);
  assert.equal(drawn.settle([{ place: 1, isTooLarge: true }], left), true);
  assert.deepEqual(drawn.next(left).transactions, []);
});

test('a transaction whose limit exceeds the remaining gas comes first in the next block, whatever it pays', () => {
  const world = new PoolWorld();
  const poor = world.add({ from: 'poor', gas: 1_000_000, tip: 0 });
  for (let block = 0; block < 2; block++) {
    for (let i = 0; i < 5; i++) world.add({ from: `rich${block}${i}`, gas: 50_000, tip: 9 });
  }
  assert.ok(!seal(world).includes(poor));
  world.add({ from: 'richest', gas: 50_000, tip: 99 });
  assert.equal(seal(world)[0], poor);
});

test('transactions passed over take turns in the order in which they were passed over', () => {
  const world = new PoolWorld();
  const large = [3, 2, 1].map((tip) => world.add({ from: `large${tip}`, gas: 1_000_000, tip }));
  const firsts = large.map(() => {
    const sealed = seal(world);
    world.add({ from: `later${world.head.height}`, gas: 1_000_000, tip: 50 });
    return sealed[0];
  });
  assert.deepEqual(firsts, large);
});

test('a transaction that comes first and takes most of a block does not do so twice in a row', () => {
  const world = new PoolWorld();
  const sealUsing = (gasUsed: bigint): readonly VerifiedTransaction[] => {
    const drawn = draw(world);
    const { transactions } = drawn.next(room(BLOCK));
    drawn.settle([], room(BLOCK - gasUsed));
    world.pool.endDraw(drawn, { gasUsed });
    world.seal(transactions);
    return transactions;
  };
  const ordinary = (height: number) => world.add({ from: `rich${height}`, gas: 50_000, tip: 9 });
  const large = [2, 1].map((tip) => world.add({ from: `large${tip}`, gas: 1_000_000, tip }));
  const first = ordinary(1);
  assert.deepEqual(sealUsing(USED), [first], 'both were passed over');
  ordinary(2);
  assert.equal(sealUsing(990_000n)[0], large[0]);
  const third = ordinary(3);
  assert.deepEqual(sealUsing(USED), [third], 'by price alone, behind a block that was full');
  ordinary(4);
  assert.equal(sealUsing(USED)[0], large[1]);
});

test('any number of transactions too large for the remaining gas cost as much as one to pass over', () => {
  const world = new PoolWorld();
  const head = world.add({ from: 'head', gas: 50_000, tip: 100 });
  for (let i = 0; i < 2_000; i++) world.add({ from: `large${i}`, gas: 1_000_000, tip: 50 });
  const small = Array.from({ length: 20 }, (_, i) => world.add({ from: `small${i}`, gas: 50_000, tip: 1 }));
  const { transactions } = draw(world).next(room(BLOCK));
  assert.deepEqual(transactions, [head, ...small]);
});

test('transactions held back only by the base fee count as work, at the highest fee among them', () => {
  const world = new PoolWorld({}, { baseFee: 100n });
  assert.equal(world.pool.heldBackFee(), undefined);
  // Empty blocks do not lower the base fee below 7.
  world.add({ from: 'e', maxFee: 6, tip: 1 });
  assert.equal(world.pool.heldBackFee(), undefined);
  world.add({ from: 'a', maxFee: 30, tip: 1 });
  world.add({ from: 'b', maxFee: 70, tip: 1 });
  world.add({ from: 'c', nonce: 3, maxFee: 90, tip: 1 });
  assert.equal(world.pool.heldBackFee(), 70n);
  world.add({ from: 'd', maxFee: 200, tip: 1 });
  assert.equal(world.pool.heldBackFee(), undefined);
});
