import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FarmError } from '../../src/farm/farm-error.js';
import { bucketOf, bucketRange, Histogram } from '../../src/farm/histogram.js';
import { checked } from '../../src/farm/run/run-record.js';
import {
  type AnsweredCall,
  CallStatistics,
  type FailedCall,
  statisticsSchema,
} from '../../src/farm/statistics.js';

const values = fc.oneof(
  fc.nat(40),
  fc.nat(100_000_000),
  fc.maxSafeNat(),
  fc.nat(53).map((bits) => Math.min(2 ** bits, Number.MAX_SAFE_INTEGER)),
);
const names = fc.oneof(
  fc.constantFrom('success', 'reverted', 'out_of_gas', 'other', '__proto__', 'constructor'),
  fc.string(),
);
const timeUs = fc.nat(3_600_000_000);
const calls: fc.Arbitrary<(AnsweredCall | FailedCall)[]> = fc.array(
  fc.oneof(
    fc.record({ outcome: names, gas: fc.nat(30_000_000), timeUs }),
    fc.record({ outcome: names, gas: fc.bigInt(0n, 30_000_000n), timeUs }),
    fc.record({ outcome: names, timeUs }),
    fc.record({ error: names, undetermined: fc.boolean(), timeUs }),
  ),
);

function statisticsOf(list: readonly (AnsweredCall | FailedCall)[]): CallStatistics {
  const statistics = new CallStatistics();
  for (const call of list) statistics.add(call);
  return statistics;
}

const check = (value: unknown) => checked(statisticsSchema, value, 'statistics');

/** The record as another process reads it. */
const sent = (statistics: CallStatistics) => check(JSON.parse(JSON.stringify(statistics.toRecord())));

test('buckets cover all safe integers without gaps or overlaps', () => {
  const highest = bucketOf(Number.MAX_SAFE_INTEGER);
  for (let bucket = 0; bucket < highest; bucket++) {
    const [first, last] = bucketRange(bucket);
    assert.equal(bucketOf(first), bucket);
    assert.equal(bucketOf(last), bucket);
    assert.equal(bucketRange(bucket + 1)[0], last + 1);
    assert.ok(last - first <= first / 16, `bucket ${bucket} from ${first} to ${last}`);
  }
  assert.equal(bucketRange(0)[0], 0);
  assert.equal(bucketRange(highest)[1], Number.MAX_SAFE_INTEGER);
});

test('quantiles are within 1/32 of the exact ones', () => {
  const shares = fc.oneof(fc.constantFrom(0, 0.5, 0.99, 1), fc.double({ min: 0, max: 1, noNaN: true }));
  fc.assert(
    fc.property(fc.array(values, { minLength: 1, maxLength: 200 }), shares, (list, share) => {
      const histogram = new Histogram();
      for (const value of list) histogram.record(value);
      const sorted = [...list].sort((a, b) => a - b);
      const exact = sorted[Math.max(1, Math.ceil(share * list.length)) - 1] ?? 0;
      const [least, most] = histogram.quantileRange(share);
      const estimate = Math.round((least + most) / 2);
      assert.ok(Math.abs(estimate - exact) <= exact / 32, `${estimate} for ${exact}`);
      assert.ok(least <= exact && exact <= most, `${least} to ${most} for ${exact}`);
      assert.deepEqual([histogram.min, histogram.max], [sorted[0], sorted.at(-1)]);
    }),
  );
});

test('values that cannot be counted are clamped to the range', () => {
  const histogram = new Histogram();
  for (const value of [Number.NaN, -5, 0.4, 1e300, Number.POSITIVE_INFINITY]) histogram.record(value);
  const { min, max, count } = histogram.toRecord();
  assert.deepEqual({ min, max, count }, { min: 0, max: Number.MAX_SAFE_INTEGER, count: 5 });
  assert.deepEqual(new Histogram().quantileRange(0.5), [0, 0]);
});

test('merged statistics equal those of all calls together, even after a round trip through JSON', () => {
  fc.assert(
    fc.property(calls, calls, (some, others) => {
      const merged = new CallStatistics();
      merged.merge(sent(statisticsOf(some)));
      merged.merge(sent(statisticsOf(others)));
      assert.deepEqual(merged.toRecord(), statisticsOf([...some, ...others]).toRecord());
    }),
  );
});

test('statuses, kinds, gas and times are counted', () => {
  const record = statisticsOf([
    { outcome: 'success', gas: 21_000n, timeUs: 900 },
    { outcome: 'success', gas: 21_000, timeUs: 1_100 },
    { outcome: 'reverted', timeUs: 10 },
    { error: 'invalid_params', undetermined: false, timeUs: 5 },
    { error: 'overloaded', undetermined: true, timeUs: 7 },
  ]).toRecord();
  const { gas, time_us: time, ...counts } = record;
  assert.deepEqual(counts, {
    calls: 5,
    answered: 3,
    failed: 1,
    undetermined: 1,
    outcomes: { success: 2, reverted: 1 },
    errors: { invalid_params: 1, overloaded: 1 },
  });
  assert.deepEqual(gas, {
    count: 2,
    sum: 42_000,
    min: 21_000,
    max: 21_000,
    buckets: [[bucketOf(21_000), 2]],
  });
  assert.equal(time.count, 5);
  assert.deepEqual(Histogram.of(time).quantileRange(1), [1_100, 1_100]);
});

test('the number and the length of names from nodes are bounded', () => {
  const statistics = new CallStatistics();
  for (let i = 0; i < 1_000; i++) statistics.add({ outcome: `kind_${i}`, timeUs: 1 });
  statistics.add({ error: 'x'.repeat(1_000_000), undetermined: false, timeUs: 1 });
  statistics.add({ error: '<script>', undetermined: false, timeUs: 1 });
  const { outcomes, errors } = statistics.toRecord();
  assert.equal(Object.keys(outcomes).length, 65);
  assert.equal(outcomes['other'], 1_000 - 64);
  assert.deepEqual(errors, { other: 2 });
});

test('an invalid record is refused with its place', () => {
  const good = JSON.parse(
    JSON.stringify(
      statisticsOf([
        { outcome: 'success', gas: 5, timeUs: 9 },
        { error: 'timeout', undetermined: true, timeUs: 9 },
      ]).toRecord(),
    ),
  ) as Record<string, unknown>;
  assert.ok(check(good));
  const gas = (changed: object) => ({ ...good, gas: { ...(good['gas'] as object), ...changed } });
  const bad: readonly (readonly [unknown, RegExp])[] = [
    [undefined, /the whole/],
    [[], /the whole|calls/],
    [{ ...good, calls: 3 }, /sum of answered/],
    [{ ...good, calls: -1 }, /calls/],
    [{ ...good, answered: 2, calls: 3 }, /one outcome/],
    [{ ...good, outcomes: { success: 1.5 } }, /outcomes\.success/],
    [{ ...good, outcomes: { '<b>': 1 } }, /snake case/],
    [JSON.parse(JSON.stringify(good).replace('"success"', '"__proto__"')), /one outcome/],
    [{ ...good, errors: {} }, /one error/],
    [gas({ buckets: [[5, 2]] }), /gas: expected ascending buckets/],
    [gas({ buckets: [[1e9, 1]] }), /gas\.buckets/],
    [gas({ buckets: [] }), /gas: expected/],
    [gas({ min: 6 }), /gas: expected/],
    [gas({ max: 2 ** 60 }), /gas\.max/],
    [gas({ sum: Number.POSITIVE_INFINITY }), /gas\.sum/],
  ];
  for (const [value, reason] of bad) {
    assert.throws(
      () => check(value),
      (error) => error instanceof FarmError && error.code === 'damaged' && reason.test(error.message),
      String(reason),
    );
  }
});
