import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AddressRates } from '../../../src/rpc/access/address-rates.js';

const SECOND = 1_000_000_000n;

/** A clock that stands still unless it is moved. */
function fakeClock(): { readonly now: () => bigint; move(ns: bigint): void } {
  let time = 5n * SECOND;
  return {
    now: () => time,
    move: (ns) => {
      time += ns;
    },
  };
}

test('a client uses its burst at once, then its rate', () => {
  const clock = fakeClock();
  const rates = new AddressRates(AddressRates.memory(), clock.now);
  const rate = { perSecond: 10, burst: 50 };
  for (let call = 0; call < 5; call++) assert.ok(rates.charge('a', 10, rate).isAllowed);
  const refused = rates.charge('a', 10, rate);
  assert.deepEqual(refused, { isAllowed: false, remaining: 0, retryMs: 1_000, resetMs: 5_000 });
  assert.ok(rates.charge('b', 50, rate).isAllowed, 'another client has its own rate');
  clock.move(SECOND);
  assert.deepEqual(rates.charge('a', 10, rate), {
    isAllowed: true,
    remaining: 0,
    retryMs: 0,
    resetMs: 5_000,
  });
  assert.ok(!rates.charge('a', 1, rate).isAllowed);
});

test('a refunded charge can be used again', () => {
  const clock = fakeClock();
  const rates = new AddressRates(AddressRates.memory(), clock.now);
  const rate = { perSecond: 1, burst: 50 };
  assert.ok(rates.charge('a', 50, rate).isAllowed);
  rates.refund('a', 50, rate);
  assert.ok(rates.charge('a', 50, rate).isAllowed);
  assert.ok(!rates.charge('a', 1, rate).isAllowed);
});

test('work beyond the rate is charged, and delays the next call until it is made up', () => {
  const clock = fakeClock();
  const rates = new AddressRates(AddressRates.memory(), clock.now);
  const rate = { perSecond: 10, burst: 50 };
  assert.ok(rates.charge('a', 10, rate).isAllowed);
  assert.deepEqual(rates.chargeWork('a', 90, rate), {
    isAllowed: true,
    remaining: 0,
    retryMs: 0,
    resetMs: 10_000,
  });
  assert.equal(rates.charge('a', 10, rate).retryMs, 6_000);
  clock.move(6n * SECOND);
  assert.ok(rates.charge('a', 10, rate).isAllowed);
  assert.ok(!rates.charge('a', 1, rate).isAllowed);
});

test('threads with the same memory share a client’s rate', () => {
  const clock = fakeClock();
  const memory = AddressRates.memory();
  const [one, other] = [new AddressRates(memory, clock.now), new AddressRates(memory, clock.now)];
  const rate = { perSecond: 1, burst: 60 };
  assert.ok(one.charge('a', 50, rate).isAllowed);
  assert.ok(!other.charge('a', 50, rate).isAllowed);
  assert.ok(other.charge('a', 10, rate).isAllowed);
});

test('no sequence of charges exceeds burst plus rate, and a client that waits as told is served', () => {
  const charge = fc.record({ waitMs: fc.nat({ max: 3_000 }), units: fc.integer({ min: 1, max: 50 }) });
  const rate = fc.record({
    perSecond: fc.integer({ min: 1, max: 100_000 }),
    burst: fc.integer({ min: 50, max: 200_000 }),
  });
  fc.assert(
    fc.property(rate, fc.array(charge, { maxLength: 60 }), (limit, charges) => {
      const clock = fakeClock();
      const begun = clock.now();
      const rates = new AddressRates(AddressRates.memory(), clock.now);
      let used = 0;
      for (const { waitMs, units } of charges) {
        clock.move(BigInt(waitMs) * 1_000_000n);
        const state = rates.charge('client', units, limit);
        if (!state.isAllowed) {
          clock.move(BigInt(state.retryMs) * 1_000_000n);
          assert.ok(rates.charge('client', units, limit).isAllowed);
        }
        used += units;
        const seconds = Number(clock.now() - begun) / 1e9;
        assert.ok(used <= limit.burst + limit.perSecond * seconds + 1e-6);
      }
    }),
    { numRuns: 200 },
  );
});

test('a flood of other clients rarely delays one', () => {
  const clock = fakeClock();
  const rates = new AddressRates(AddressRates.memory(), clock.now);
  const rate = { perSecond: 1, burst: 50 };
  for (let other = 0; other < 3_000; other++) rates.charge(`flood ${other}`, 50, rate);
  let delayed = 0;
  for (let client = 0; client < 1_000; client++) {
    if (!rates.charge(`client ${client}`, 1, rate).isAllowed) delayed++;
  }
  // Both buckets of a client are full with a probability of 0.8 %.
  assert.ok(delayed < 30, `${delayed} of 1,000`);
});
