// Random histories of a pool with envelopes: the slots that a height has left for a new one, compared with a search
// through all pending transactions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MAX_SLOTS } from '../../src/ledger/constants.js';
import { opensAt } from '../../src/ledger/transaction-envelope.js';
import type { PendingTransaction } from '../../src/mempool/pool-types.js';
import { slotOffer, tipAt } from '../../src/mempool/prices.js';
import { addressOf, PoolWorld, poolEnvelope, poolTransaction } from '../support/worlds/pool-world.js';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
const SLOT_PRICE = 2_000_000n;
const HEIGHT = 1_000n;

const offer = fc.record({
  do: fc.constant('offer' as const),
  from: fc.constantFrom(...NAMES),
  lane: fc.integer({ min: 0, max: 1 }),
  /** Distance from the first nonce that is neither used nor pending. */
  ahead: fc.integer({ min: 0, max: 1 }),
  isSealed: fc.boolean(),
  slots: fc.integer({ min: 1, max: 9 }),
  opensAt: fc.constantFrom(HEIGHT, HEIGHT + 1n),
  tip: fc.integer({ min: 0, max: 5 }),
  maxFee: fc.integer({ min: 5, max: 9 }),
  maxSlotPrice: fc.integer({ min: 1, max: 9 }),
});
const seal = fc.record({
  do: fc.constant('seal' as const),
  count: fc.integer({ min: 0, max: 3 }),
  baseFee: fc.integer({ min: 1, max: 9 }),
});
const steps = fc.array(fc.oneof({ weight: 4, arbitrary: offer }, { weight: 1, arbitrary: seal }), {
  maxLength: 40,
});

/** The lowest tip of a transaction and those before it in its lane; negative if one of them waits. */
function worthOf({ transaction }: PendingTransaction, world: PoolWorld): number {
  const { sender, signed } = transaction;
  const { lane, nonce } = signed.transaction;
  const before = [...world.pool.transactions()].filter(
    (one) =>
      one.sender === sender && one.signed.transaction.lane === lane && one.signed.transaction.nonce <= nonce,
  );
  const tips = before.map(({ signed: { transaction: one } }) =>
    tipAt(one, slotOffer(one, world.head.gasLimit).maxSlotPrice, world.head),
  );
  return Math.min(...tips.map(Number));
}

/** The slots that the height has left for an envelope with this tip per slot. */
function expected(world: PoolWorld, tip: number): number {
  const there = [...world.pool.transactions()]
    .map((transaction) => world.pool.get(transaction.hashHex) ?? assert.fail())
    .filter(({ transaction, ready }) => ready && opensAt(transaction.signed.transaction) === HEIGHT)
    .map((pending) => {
      const { slots } = slotOffer(pending.transaction.signed.transaction, world.head.gasLimit);
      return { slots, arrival: pending.arrival, rank: worthOf(pending, world) / slots };
    })
    .filter(({ rank }) => rank >= tip)
    .sort((a, b) => b.rank - a.rank || a.arrival - b.arrival);
  let left = MAX_SLOTS;
  for (const { slots } of there) if (slots <= left) left -= slots;
  return left;
}

/** The slots left for an envelope with this tip per slot, by what the pool refuses. */
function actual(world: PoolWorld, tip: number): number {
  const slots = Array.from({ length: MAX_SLOTS }, (_, index) => MAX_SLOTS - index);
  return (
    slots.find(
      (count) =>
        world.pool.precheck(
          poolEnvelope({ from: 'probe', opensAt: HEIGHT, slots: count, tip: tip * count, maxFee: 1_000 }),
        ) === undefined,
    ) ?? 0
  );
}

test('a height has as many slots left for an envelope as those that precede it leave', () => {
  fc.assert(
    fc.property(steps, (history) => {
      const world = new PoolWorld();
      for (const step of history) {
        if (step.do === 'offer') {
          const { from, lane, ahead, isSealed, slots, tip, maxFee, maxSlotPrice } = step;
          const sent = { from, lane, tip, maxFee };
          const nonce = world.pool.nextNonce(addressOf(from), lane) + BigInt(ahead);
          const maxSealFee = BigInt(maxSlotPrice * slots) * SLOT_PRICE;
          if (isSealed) {
            world.offer(poolEnvelope({ ...sent, nonce, slots, maxSealFee, opensAt: step.opensAt }));
          } else {
            world.offer(poolTransaction({ ...sent, nonce }));
          }
        } else {
          const baseFee = BigInt(step.baseFee);
          world.seal(world.select().slice(0, step.count), { baseFee, slotPrice: baseFee * SLOT_PRICE });
        }
        for (const tip of [0, 1, 3]) assert.equal(actual(world, tip), expected(world, tip));
      }
    }),
    { numRuns: 100 },
  );
});
