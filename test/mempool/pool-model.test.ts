import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { priorityPrice } from '../../src/ledger/fees.js';
import type { VerifiedTransaction } from '../../src/ledger/verified-transaction.js';
import { transactionCost } from '../../src/mempool/cost.js';
import type { Departure, PendingTransaction } from '../../src/mempool/pool-types.js';
import { addressOf, PoolWorld, poolTransaction, type TransactionSpec } from '../support/pool-world.js';

/*
 * Random histories of a small pool, checked after every step against what a plain, slow reading of the rules says of
 * the transactions that the pool lists.
 */

const NAMES = ['alice', 'bob', 'carol', 'dave'] as const;
const LIMITS = { maxTransactions: 12, maxBytes: 3_000, maxNonceGap: 4, maxPendingLanes: 2, maxDepartures: 8 };

type Step =
  | { readonly do: 'offer'; readonly spec: TransactionSpec & { readonly ahead: number } }
  | { readonly do: 'seal'; readonly share: number; readonly baseFee: bigint }
  | { readonly do: 'foreign'; readonly from: string; readonly lane: number; readonly by: number }
  | { readonly do: 'balance'; readonly from: string; readonly balance: bigint };

const name = fc.constantFrom(...NAMES);
const lane = fc.integer({ min: 0, max: 2 });

const offer: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('offer' as const),
  spec: fc.record(
    {
      from: name,
      lane,
      ahead: fc.integer({ min: -1, max: 6 }),
      maxFee: fc.integer({ min: 8, max: 30 }),
      tip: fc.integer({ min: 0, max: 12 }),
      gas: fc.integer({ min: 10_000, max: 40_000 }),
      bytes: fc.integer({ min: 40, max: 900 }),
      amount: fc.integer({ min: 0, max: 1_000 }),
      validUntil: fc.integer({ min: 10, max: 60 }),
    },
    { requiredKeys: ['from', 'lane', 'ahead', 'maxFee', 'tip', 'gas', 'bytes', 'amount'] },
  ),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: offer },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('seal' as const),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      baseFee: fc.bigInt({ min: 1n, max: 20n }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('foreign' as const),
      from: name,
      lane,
      by: fc.integer({ min: 1, max: 5 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('balance' as const),
      from: name,
      balance: fc.bigInt({ min: 0n, max: 6_000_000n }),
    }),
  },
);

/** Does a step; gives what it made the pool answer. */
function take(world: PoolWorld, taken: Step): unknown {
  switch (taken.do) {
    case 'offer': {
      const { ahead, ...spec } = taken.spec;
      const next = world.accounts.nextNonce(addressOf(spec.from ?? ''), spec.lane ?? 0);
      const nonce = next + BigInt(ahead);
      return offerChecked(world, poolTransaction({ ...spec, nonce: nonce < 0n ? 0n : nonce }));
    }
    case 'seal': {
      const drawn = world.select({ gasLimit: 200_000n, maxBytes: 2_000 });
      world.seal(drawn.slice(0, Math.ceil(drawn.length * taken.share)), { baseFee: taken.baseFee });
      return drawn.map(({ hashHex }) => hashHex);
    }
    case 'foreign': {
      const next = world.accounts.nextNonce(addressOf(taken.from), taken.lane);
      world.accounts.setNonce(taken.from, taken.lane, next + BigInt(taken.by));
      return world.seal([], { changed: [taken.from] });
    }
    case 'balance':
      world.accounts.setBalance(taken.from, taken.balance);
      return world.seal([], { changed: [taken.from] });
  }
}

/** Offers a transaction and checks what left for it. */
function offerChecked(world: PoolWorld, offered: VerifiedTransaction): unknown {
  const before = listed(world);
  const precheck = world.pool.precheck(offered);
  world.departures.length = 0;
  const result = world.offer(offered);
  if (precheck !== undefined) assert.ok(!result.admitted, 'the pool took what its precheck refuses');
  if (!result.admitted) {
    assert.deepEqual(world.departures, [], 'something left for a transaction that did not come in');
    assert.deepEqual(listed(world), before, 'a refused transaction changed the pool');
    return result.error.reason;
  }
  const tip = tipOf(offered, world);
  for (const departure of world.departures) checkLeaving(departure, offered, tip, before, world);
  return result.pending;
}

function checkLeaving(
  { transaction, reason }: Departure,
  newcomer: VerifiedTransaction,
  newcomerTip: bigint,
  before: readonly PendingTransaction[],
  world: PoolWorld,
): void {
  if (reason === 'replaced') {
    assert.equal(placeOf(transaction), placeOf(newcomer));
    return;
  }
  assert.equal(reason, 'evicted');
  assert.ok(tipOf(transaction, world) < newcomerTip, 'a transaction left for one that pays no more');
  assert.ok(
    listed(world).every(({ transaction: other }) => !isBehind(other, transaction)),
    'a transaction left from the middle of its lane',
  );
  const left = before.find((pending) => pending.transaction === transaction);
  const newcomerReady = world.pool.get(newcomer.hashHex)?.ready;
  assert.ok(newcomerReady || left?.ready === false, 'a ready transaction left for one behind a gap');
  const cheaper = listed(world).filter(
    (pending) =>
      pending.transaction !== newcomer &&
      pending.ready === left?.ready &&
      laneOf(pending.transaction) !== laneOf(newcomer) &&
      isTail(pending.transaction, before) &&
      tipOf(pending.transaction, world) < tipOf(transaction, world),
  );
  assert.deepEqual(cheaper, [], 'a cheaper one stayed');
}

function isTail(transaction: VerifiedTransaction, pool: readonly PendingTransaction[]): boolean {
  return pool.every(({ transaction: other }) => !isBehind(other, transaction));
}

function listed(world: PoolWorld): readonly PendingTransaction[] {
  const all: PendingTransaction[] = [];
  let cursor: string | undefined;
  do {
    const page = world.pool.list({ limit: 5, ...(cursor === undefined ? {} : { cursor }) });
    all.push(...page.transactions);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all;
}

function tipOf({ signed }: VerifiedTransaction, world: PoolWorld): bigint {
  return priorityPrice(signed.transaction, world.head.baseFee);
}

function laneOf({ sender, signed }: VerifiedTransaction): string {
  return `${sender}/${signed.transaction.lane}`;
}

function placeOf(transaction: VerifiedTransaction): string {
  return `${laneOf(transaction)}/${transaction.signed.transaction.nonce}`;
}

function isBehind(a: VerifiedTransaction, b: VerifiedTransaction): boolean {
  return laneOf(a) === laneOf(b) && a.signed.transaction.nonce > b.signed.transaction.nonce;
}

/** Whether every nonce from the account's next one up to the transaction's is there. */
function isReady(transaction: VerifiedTransaction, places: ReadonlySet<string>, world: PoolWorld): boolean {
  const { sender, signed } = transaction;
  const { lane: id, nonce } = signed.transaction;
  for (let at = world.accounts.nextNonce(sender, id); at < nonce; at++) {
    if (!places.has(`${laneOf(transaction)}/${at}`)) return false;
  }
  return true;
}

/** The rules of drawing, read plainly: look through all that could come next, again for each place. */
function drawnPlainly(world: PoolWorld, pool: readonly PendingTransaction[]): VerifiedTransaction[] {
  const left = new Set(pool.filter(({ ready }) => ready));
  const drawn: VerifiedTransaction[] = [];
  let gas = 200_000n;
  let bytes = 2_000;
  for (;;) {
    const heads = [...left].filter((one) =>
      [...left].every((other) => !isBehind(one.transaction, other.transaction)),
    );
    const [best] = heads
      .filter(({ transaction }) => tipOf(transaction, world) >= 0n)
      .sort((a, b) => {
        const difference = tipOf(b.transaction, world) - tipOf(a.transaction, world);
        return difference === 0n ? a.arrival - b.arrival : Number(difference);
      });
    if (best === undefined) return drawn;
    const { signed, encoded } = best.transaction;
    left.delete(best);
    if (signed.transaction.gas_limit > gas || encoded.length + 1 > bytes) {
      for (const other of left) if (isBehind(other.transaction, best.transaction)) left.delete(other);
      continue;
    }
    drawn.push(best.transaction);
    gas -= signed.transaction.gas_limit;
    bytes -= encoded.length + 1;
  }
}

function checkPool(world: PoolWorld): void {
  const pool = listed(world);
  const places = new Set(pool.map(({ transaction }) => placeOf(transaction)));
  assert.equal(places.size, pool.length, 'two transactions share a place');
  assert.deepEqual(
    pool.map(({ arrival }) => arrival),
    pool.map(({ arrival }) => arrival).sort((a, b) => b - a),
  );

  const stats = world.pool.stats();
  const bytes = pool.reduce((sum, { transaction }) => sum + transaction.encoded.length, 0);
  const ready = pool.filter((pending) => pending.ready).length;
  assert.deepEqual(
    [stats.size, stats.bytes, stats.ready, stats.gapped, stats.lanes],
    [
      pool.length,
      bytes,
      ready,
      pool.length - ready,
      new Set(pool.map(({ transaction }) => laneOf(transaction))).size,
    ],
  );
  assert.ok(stats.size <= LIMITS.maxTransactions && stats.bytes <= LIMITS.maxBytes);

  for (const pending of pool) {
    const { transaction } = pending;
    assert.equal(pending.ready, isReady(transaction, places, world));
    assert.deepEqual(world.pool.get(transaction.hashHex), pending);
    assert.equal(world.pool.departure(transaction.hashHex), undefined);
    const { valid_until: validUntil } = transaction.signed.transaction;
    assert.ok(validUntil === undefined || validUntil >= world.head.height, 'expired, and still here');
  }
  for (const from of NAMES) checkSender(world, addressOf(from), pool);

  const drawn = world.select({ gasLimit: 200_000n, maxBytes: 2_000 });
  assert.deepEqual(drawn.map(placeOf), drawnPlainly(world, pool).map(placeOf));
  const payable = pool.some(
    ({ transaction }) =>
      transaction.signed.transaction.nonce ===
        world.accounts.nextNonce(transaction.sender, transaction.signed.transaction.lane) &&
      tipOf(transaction, world) >= 0n,
  );
  assert.equal(world.pool.hasReady(), payable);
}

function checkSender(world: PoolWorld, address: string, pool: readonly PendingTransaction[]): void {
  const own = pool.filter(({ transaction }) => transaction.sender === address);
  assert.deepEqual(world.pool.list({ sender: address, limit: 100 }).transactions, own);
  const cost = own.reduce(
    (sum, { transaction }) => sum + transactionCost(transaction.signed.transaction),
    0n,
  );
  assert.ok(cost <= world.accounts.balance(address), 'a sender has more waiting than it can pay');
  const lanes = world.pool.lanesOf(address);
  assert.ok(lanes.length <= LIMITS.maxPendingLanes);
  for (const { lane: id, pending, nextNonce } of lanes) {
    const nonces = own
      .filter(({ transaction }) => transaction.signed.transaction.lane === id)
      .map(({ transaction }) => transaction.signed.transaction.nonce);
    assert.equal(pending, nonces.length);
    let missing = world.accounts.nextNonce(address, id);
    while (nonces.includes(missing)) missing++;
    assert.equal(nextNonce, missing);
  }
}

const history = fc.array(step, { minLength: 1, maxLength: 80, size: 'max' });

test('after any history the pool is what a plain reading of its rules says', () => {
  fc.assert(
    fc.property(history, (steps) => {
      const world = new PoolWorld(LIMITS);
      for (const taken of steps) {
        take(world, taken);
        checkPool(world);
      }
    }),
    { numRuns: 300 },
  );
});

test('the same calls give the same answers', () => {
  fc.assert(
    fc.property(history, (steps) => {
      const [one, other] = [new PoolWorld(LIMITS), new PoolWorld(LIMITS)];
      for (const taken of steps) assert.deepEqual(take(one, taken), take(other, taken));
      assert.deepEqual(one.departures, other.departures);
      assert.deepEqual([...one.pool.transactions()], [...other.pool.transactions()]);
    }),
    { numRuns: 50 },
  );
});

test('admitting again in the order of arrival what waits in a pool gives the same pool', () => {
  fc.assert(
    fc.property(history, (steps) => {
      const world = new PoolWorld({ ...LIMITS, maxNonceGap: 1_000 });
      for (const taken of steps) take(world, taken);
      const waiting = [...world.pool.transactions()];
      const again = new PoolWorld({ ...LIMITS, maxNonceGap: 1_000 }, world.head);
      for (const transaction of waiting) {
        const { sender, signed } = transaction;
        const from = NAMES.find((one) => addressOf(one) === sender) ?? assert.fail();
        const { lane: id } = signed.transaction;
        again.accounts.setNonce(from, id, world.accounts.nextNonce(sender, id));
      }
      for (const transaction of waiting) assert.ok(again.offer(transaction).admitted);
      assert.deepEqual(again.select(), world.select());
    }),
    { numRuns: 50 },
  );
});
