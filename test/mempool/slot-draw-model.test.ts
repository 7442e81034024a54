// Random envelopes, drawn by the pool and by a plain search through all of them in order of rank.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MAX_SLOTS } from '../../src/ledger/constants.js';
import { sweep } from '../support/sweep.js';
import { PoolWorld, poolEnvelope } from '../support/worlds/pool-world.js';

/** Opening heights of the envelopes. */
const HEIGHTS = [20, 21, 22, 23] as const;
const SLOT_PRICE = 4_000_000n;

interface Spec {
  readonly opensAt: number;
  readonly slots: number;
  readonly tip: number;
  readonly maxSlotPrice: bigint;
}

const spec: fc.Arbitrary<Spec> = fc.record({
  opensAt: fc.constantFrom(...HEIGHTS),
  slots: fc.integer({ min: 1, max: MAX_SLOTS }),
  tip: fc.integer({ min: 0, max: 6 }),
  maxSlotPrice: fc.constantFrom(SLOT_PRICE / 2n, SLOT_PRICE, 2n * SLOT_PRICE),
});

/** Indexes of the envelopes that get slots. */
function expected(specs: readonly Spec[], reserved: ReadonlyMap<bigint, number>): number[] {
  const order = [...specs.keys()].sort((a, b) => {
    const [one, other] = [specs[a] ?? assert.fail(), specs[b] ?? assert.fail()];
    return other.tip * one.slots - one.tip * other.slots || a - b;
  });
  const taken = new Map(reserved);
  let left = MAX_SLOTS;
  return order.filter((index) => {
    const { opensAt, slots, maxSlotPrice } = specs[index] ?? assert.fail();
    const before = taken.get(BigInt(opensAt)) ?? 0;
    if (maxSlotPrice < SLOT_PRICE || slots > left || before + slots > MAX_SLOTS) return false;
    taken.set(BigInt(opensAt), before + slots);
    left -= slots;
    return true;
  });
}

test('the slots of a block go to the highest tips per slot among those that fit', () => {
  fc.assert(
    fc.property(
      fc.array(spec, { maxLength: 60 }),
      fc.array(fc.integer({ min: 0, max: MAX_SLOTS }), {
        minLength: HEIGHTS.length,
        maxLength: HEIGHTS.length,
      }),
      (specs, reserved) => {
        const world = new PoolWorld({}, { slotPrice: SLOT_PRICE / 2n });
        const envelopes = specs.map(({ maxSlotPrice, ...common }, index) => {
          const maxSealFee = maxSlotPrice * BigInt(common.slots);
          return poolEnvelope({ ...common, from: `sender ${index}`, maxSealFee });
        });
        // Restored, because the pool refuses envelopes for heights that others take.
        world.pool.restore(
          envelopes.map((transaction, index) => ({
            transaction,
            reception: { arrival: index, receivedMs: 0 },
          })),
        );
        world.seal([], { slotPrice: SLOT_PRICE });
        for (const [index, height] of HEIGHTS.entries())
          world.reserved.set(BigInt(height), reserved[index] ?? 0);
        const drawn = world.select({ gasLimit: 10n ** 12n }).map(({ hashHex }) => hashHex);
        const wanted = expected(specs, world.reserved).map((index) => envelopes[index]?.hashHex);
        assert.deepEqual(new Set(drawn), new Set(wanted));
      },
    ),
    { numRuns: sweep(20) },
  );
});
