import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { fill, LeakyBucket, LeakyBuckets, leakTimeNs, type Rate } from '../../src/async/gcra.js';

/** What both forms of the algorithm must agree with: tokens that accrue at the rate, up to the burst. */
class TokenBucketModel {
  readonly #rate: Rate;
  #tokens: number;
  #atMs = 0;

  constructor(rate: Rate) {
    this.#rate = rate;
    this.#tokens = rate.burst;
  }

  tokens(nowMs: number): number {
    const accrued = ((nowMs - this.#atMs) * this.#rate.perSecond) / 1_000;
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + accrued);
    this.#atMs = nowMs;
    return this.#tokens;
  }

  spend(units: number): void {
    this.#tokens -= units;
  }
}

// With a multiple of 1,000 per second, tokens are whole numbers at every millisecond, and all arithmetic is exact.
const rate = fc.record({
  perSecond: fc.integer({ min: 1, max: 1_000 }).map((perMs) => perMs * 1_000),
  burst: fc.integer({ min: 1, max: 1_000_000 }),
});
const charges = fc.array(
  fc.record({
    waitMs: fc.nat({ max: 2_000 }),
    units: fc.nat({ max: 1_000_000 }),
    isDone: fc.boolean(),
  }),
  { maxLength: 50 },
);

describe('a leaky bucket', () => {
  test('accepts what a token bucket accepts', () => {
    fc.assert(
      fc.property(rate, charges, (limit, all) => {
        const bucket = new LeakyBucket(limit);
        const model = new TokenBucketModel(limit);
        let nowMs = 0;
        for (const { waitMs, units, isDone } of all) {
          nowMs += waitMs;
          const tokens = model.tokens(nowMs);
          assert.equal(bucket.level(nowMs), limit.burst - tokens);
          assert.equal(bucket.excessMs(nowMs), Math.max(0, (-tokens * 1_000) / limit.perSecond));
          if (isDone) bucket.charge(units, nowMs);
          else assert.equal(bucket.take(units, nowMs), units <= tokens);
          if (isDone || units <= tokens) model.spend(units);
        }
      }),
    );
  });

  test('in memory shared by threads holds what a token bucket lacks, to the nanosecond', () => {
    fc.assert(
      fc.property(rate, charges, (limit, all) => {
        const words = new BigInt64Array(new SharedArrayBuffer(8));
        const model = new TokenBucketModel(limit);
        let nowMs = 0;
        for (const { waitMs, units } of all) {
          nowMs += waitMs;
          const lacking = limit.burst - model.tokens(nowMs);
          model.spend(units);
          const emptyNs = fill(words, 0, BigInt(nowMs) * 1_000_000n, leakTimeNs(units, limit));
          const expectedNs = ((lacking + units) / limit.perSecond) * 1e9;
          assert.ok(Math.abs(Number(emptyNs) - expectedNs) < all.length + 1, `${emptyNs} of ${expectedNs}`);
        }
      }),
    );
  });
});

describe('leaky buckets by key', () => {
  test('do not share their level', () => {
    const buckets = new LeakyBuckets<string>({ perSecond: 1, burst: 5 }, () => 0);
    assert.ok(buckets.take('a', 5));
    assert.ok(!buckets.take('a', 1));
    assert.ok(!buckets.hasRoom('a'));
    assert.ok(buckets.take('b', 5));
  });

  test('forget the key used least recently, and remember none that was only looked at', () => {
    const buckets = new LeakyBuckets<string>({ perSecond: 1, burst: 5 }, () => 0, 2);
    buckets.charge('a', 9);
    buckets.charge('b', 9);
    assert.ok(buckets.hasRoom('c'));
    assert.equal(buckets.level('a'), 9);
    buckets.charge('c', 9);
    assert.equal(buckets.level('b'), 0);
    assert.equal(buckets.level('a'), 9);
  });
});
