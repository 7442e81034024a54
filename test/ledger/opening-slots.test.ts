// The price of opening slots, against EIP-4844's vectors, exact arithmetic, and the exponential itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { SealedEnvelope } from '../../src/generated/ledger.js';
import { MAX_BALANCE, MAX_SLOTS } from '../../src/ledger/constants.js';
import {
  fakeExponential,
  nextSealExcess,
  nextSlotPrice,
  openingSlots,
  slotPrice,
} from '../../src/ledger/opening-slots.js';

const SEAL_GAS = 2_000_000n;

test('fakeExponential gives the values of the consensus tests of EIP-4844', () => {
  const vectors = [
    [1n, 0n, 1n, 1n],
    [38_493n, 0n, 1_000n, 38_493n],
    [0n, 1_234n, 2_345n, 0n],
    [1n, 2n, 1n, 6n],
    [1n, 4n, 2n, 6n],
    [1n, 3n, 1n, 16n],
    [1n, 6n, 2n, 18n],
    [1n, 4n, 1n, 49n],
    [1n, 8n, 2n, 50n],
    [10n, 8n, 2n, 542n],
    [11n, 8n, 2n, 596n],
    [1n, 5n, 1n, 136n],
    [1n, 5n, 2n, 11n],
    [2n, 5n, 2n, 23n],
    [1n, 50_000_000n, 2_225_652n, 5_709_098_764n],
    [1n, 380_928n, 95_232n, 54n],
  ] as const;
  for (const [factor, numerator, denominator, expected] of vectors) {
    assert.equal(fakeExponential(factor, numerator, denominator), expected, `${factor} ${numerator}`);
  }
});

test('the exponential is at most one plus 2 % below the real one, and never above it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2_400 }), (excess) => {
      const real = Math.exp(excess / 68);
      const price = Number(fakeExponential(1n, BigInt(excess), 68n));
      assert.ok(price <= real * (1 + 1e-9), `${price} > ${real}`);
      assert.ok(price >= (real * 49) / 50 - 1, `${price} < ${real}`);
    }),
  );
});

test('the price never falls while the excess rises, and stays a u128', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: MAX_BALANCE }),
      fc.bigInt({ min: 0n, max: 7_000n }),
      fc.bigInt({ min: 0n, max: 16n }),
      (baseFee, excess, step) => {
        const price = slotPrice({ base_fee: baseFee, seal_excess: excess });
        const later = slotPrice({ base_fee: baseFee, seal_excess: excess + step });
        assert.ok(price <= later && later <= MAX_BALANCE);
        assert.ok(price >= (baseFee * SEAL_GAS < MAX_BALANCE ? baseFee * SEAL_GAS : MAX_BALANCE));
      },
    ),
  );
});

test('an excess whose price exceeds every balance costs no work', () => {
  assert.ok(fakeExponential(1n, 89n * 68n, 68n) > MAX_BALANCE);
  for (const excess of [89n * 68n, 2n ** 64n - 1n]) {
    assert.equal(slotPrice({ base_fee: 1n, seal_excess: excess }), MAX_BALANCE);
  }
  // The last excess below is affordable for nobody either.
  assert.equal(slotPrice({ base_fee: 1n, seal_excess: 89n * 68n - 1n }), MAX_BALANCE);
});

test('the excess rises by the slots above 8 and falls by those below', () => {
  assert.equal(nextSealExcess({ seal_excess: 0n }, 0), 0n);
  assert.equal(nextSealExcess({ seal_excess: 0n }, 8), 0n);
  assert.equal(nextSealExcess({ seal_excess: 0n }, 9), 1n);
  assert.equal(nextSealExcess({ seal_excess: 5n }, 0), 0n);
  assert.equal(nextSealExcess({ seal_excess: 100n }, 0), 92n);
  assert.equal(nextSealExcess({ seal_excess: 100n }, MAX_SLOTS), 108n);
});

test('blocks that reserve all slots raise the price by an eighth each', () => {
  const at = (blocks: bigint) => Number(slotPrice({ base_fee: 1n, seal_excess: 8n * blocks }));
  const rise = (at(200n) / at(100n)) ** (1 / 100);
  assert.ok(Math.abs(rise - 9 / 8) < 0.001, String(rise));
  assert.ok(at(200n) > 1_000 * at(0n));
});

test('the next price follows from base fee and excess of the next block', () => {
  const parent = { base_fee: 80n, gas_used: 0n, gas_limit: 100n, seal_excess: 130n };
  // e^(136/68) = e² = 7.39; 80 falls by an eighth after an empty block.
  assert.equal(nextSlotPrice(parent, 14), 70n * SEAL_GAS * 7n);
});

test('an envelope reserves its gas for the action in whole slots, at least one', () => {
  const envelope = (gasLimit: bigint): SealedEnvelope => ({
    header: {
      chain_id: 1n,
      sender: new Uint8Array(20),
      lane: 0,
      nonce: 0n,
      gas_limit: gasLimit,
      max_fee: 1n,
      priority_fee: 0n,
      max_seal_fee: 0n,
      opens_at: 9n,
    },
    u: new Uint8Array(48),
    v: new Uint8Array(32),
    w: new Uint8Array(32),
    payload: new Uint8Array(10),
  });
  const own = 2_000_000n + 25_000n + 160n;
  const blockGas = 64_000_063n;
  const slots = (gas: bigint) => openingSlots(envelope(own + gas), blockGas);
  assert.deepEqual([0n, 1n, 1_000_000n, 1_000_001n, 16_000_000n].map(slots), [1, 1, 1, 2, 16]);
  assert.equal(slots(16_000_001n), 17);
});
