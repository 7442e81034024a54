import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PoolWorld, poolTransaction } from '../../support/worlds/pool-world.js';

test('an ordinary transaction is accepted and can be looked up', () => {
  const world = new PoolWorld();
  const transaction = world.add({ nonce: 0 });
  assert.deepEqual(world.pool.get(transaction.hashHex), {
    transaction,
    arrival: 1,
    receivedMs: 1_001,
    ready: true,
  });
  assert.equal(world.pool.size, 1);
});

test('a waiting transaction is already_known, whatever else is wrong with it', () => {
  const world = new PoolWorld();
  const transaction = world.add();
  world.accounts.setBalance('alice', 0n);
  const again = world.offer(transaction);
  assert.equal(again.admitted ? undefined : again.error.reason, 'already_known');
});

test('a transaction for another chain is refused with both chains in the details', () => {
  const world = new PoolWorld();
  const result = world.offer(poolTransaction({ chainId: 8n }));
  assert.ok(!result.admitted);
  assert.equal(result.error.reason, 'wrong_chain');
  assert.deepEqual(result.error.details, { given: 8n, expected: 7n });
});

test('a transaction may be as long as the limit but no longer', () => {
  const world = new PoolWorld({ maxTransactionBytes: 1_000 });
  world.add({ bytes: 1_000 });
  assert.equal(world.refuse({ nonce: 1, bytes: 1_001 }), 'over_pool_limit');
  assert.equal(world.refuse({ nonce: 1, bytes: 524_289 }), 'too_large');
});

test('a transaction is expired once the next block is past its last height', () => {
  const world = new PoolWorld({}, { height: 10n });
  assert.equal(world.refuse({ validUntil: 9 }), 'expired');
  world.add({ validUntil: 10 });
});

test('gas_limit must cover the transaction’s intrinsic gas', () => {
  const world = new PoolWorld();
  assert.equal(world.refuse({ gas: 24_999 }), 'gas_limit_too_low');
  world.add({ gas: 25_000 });
  const call = {
    type: 'call',
    value: { contract: new Uint8Array(20), input: new Uint8Array(100), value: 0n },
  } as const;
  assert.equal(world.refuse({ nonce: 1, gas: 31_599, action: call }), 'gas_limit_too_low');
  world.add({ nonce: 1, gas: 31_600, action: call });
});

test('gas_limit must fit in a block', () => {
  const world = new PoolWorld({}, { gasLimit: 1_000_000n });
  assert.equal(world.refuse({ gas: 1_000_001 }), 'gas_limit_too_high');
  world.add({ gas: 1_000_000 });
});

test('the priority fee is part of max_fee, so it cannot exceed it', () => {
  const world = new PoolWorld();
  assert.equal(world.refuse({ maxFee: 9, tip: 10 }), 'fee_too_low');
  world.add({ maxFee: 10, tip: 10 });
});

test('a max_fee below the configured minimum is refused, one below the base fee waits', () => {
  const world = new PoolWorld({ minFee: 5n }, { baseFee: 100n });
  assert.equal(world.refuse({ maxFee: 4, tip: 0 }), 'fee_too_low');
  world.add({ maxFee: 5, tip: 0 });
  assert.deepEqual(world.select(), []);
  assert.equal(world.pool.hasReady(), false);
});

test('a used nonce is refused with the expected one', () => {
  const world = new PoolWorld();
  world.accounts.setNonce('alice', 0, 5n);
  const result = world.offer(poolTransaction({ nonce: 4 }));
  assert.ok(!result.admitted);
  assert.equal(result.error.reason, 'nonce_too_low');
  assert.deepEqual(result.error.details, { given: 4n, expected: 5n });
});

test('a nonce may exceed the first missing one by up to the limit', () => {
  const world = new PoolWorld({ maxNonceGap: 64 });
  assert.equal(world.refuse({ nonce: 65 }), 'nonce_gap_too_large');
  world.add({ nonce: 64 });
  world.add({ nonce: 0 });
  world.add({ nonce: 65 });
  assert.equal(world.refuse({ nonce: 66 }), 'nonce_gap_too_large');
});

test('a nonce near 2^64 is a gap like any other', () => {
  const world = new PoolWorld();
  assert.equal(world.refuse({ nonce: 2n ** 64n - 1n }), 'nonce_gap_too_large');
  world.accounts.setNonce('alice', 0, 2n ** 64n - 3n);
  world.add({ nonce: 2n ** 64n - 2n });
  world.add({ nonce: 2n ** 64n - 3n });
  assert.equal(world.select().length, 2);
});

test('the gap is not checked before the signature: the missing nonces may be on their way', () => {
  const world = new PoolWorld();
  assert.equal(world.pool.precheck(poolTransaction({ nonce: 1_000 })), undefined);
});

test('the check before the signature agrees with the pool', () => {
  const world = new PoolWorld();
  world.accounts.setNonce('alice', 0, 1n);
  assert.equal(world.pool.precheck(poolTransaction({ nonce: 0 }))?.reason, 'nonce_too_low');
  assert.equal(world.pool.precheck(poolTransaction({ chainId: 1n }))?.reason, 'wrong_chain');
  assert.equal(world.pool.size, 0);
});

test('the number of an account’s lanes with waiting transactions is limited', () => {
  const world = new PoolWorld({ maxPendingLanes: 16 });
  for (let lane = 0; lane < 16; lane++) world.add({ lane });
  assert.equal(world.refuse({ lane: 16 }), 'pool_full');
  world.add({ lane: 15, nonce: 1 });
  world.add({ from: 'carol', lane: 16 });
});

test('a lane beyond the 256 that an account can ever use is refused', () => {
  const world = new PoolWorld();
  world.accounts.setLanesUsed('alice', 255);
  world.accounts.setNonce('alice', 3, 1n);
  world.add({ lane: 1_000 });
  assert.equal(world.refuse({ lane: 1_001 }), 'too_many_lanes');
  world.add({ lane: 3, nonce: 1 });
});

test('the total cost of a sender’s waiting transactions, over all lanes, must be within its balance', () => {
  const world = new PoolWorld();
  const cost = 30_000n * 1_000n + 1n;
  world.accounts.setBalance('alice', 2n * cost);
  world.add({ lane: 0 });
  world.add({ lane: 1 });
  const result = world.offer(poolTransaction({ lane: 2 }));
  assert.ok(!result.admitted);
  assert.equal(result.error.reason, 'insufficient_balance');
  assert.deepEqual(result.error.details, { cost, pending_cost: 2n * cost, balance: 2n * cost });
});

test('amounts carried by any action count towards its cost', () => {
  const world = new PoolWorld();
  const call = { contract: new Uint8Array(20), input: new Uint8Array(0), value: 600n };
  world.accounts.setBalance('alice', 40_000n * 1_000n + 1_199n);
  const batch = { type: 'batch', value: [call, call] } as const;
  assert.equal(world.refuse({ gas: 40_000, action: batch }), 'insufficient_balance');
  world.accounts.setBalance('alice', 40_000n * 1_000n + 1_200n);
  world.add({ gas: 40_000, action: batch });
});

test('a reused arrival number is a programming error', () => {
  const world = new PoolWorld();
  world.add();
  assert.throws(
    () => world.pool.admit(poolTransaction({ nonce: 1 }), { arrival: 1, receivedMs: 0 }),
    /arrival number 1/,
  );
});
