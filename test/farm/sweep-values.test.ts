import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { GeometricCurve } from '../../src/farm/sweep/geometric-curve.js';
import { Place } from '../../src/farm/sweep/place.js';
import { generators, integerDraw } from '../../src/farm/sweep/random-draws.js';
import { readBounds, readRange } from '../../src/farm/sweep/range.js';

const place = new Place('sweep.json');

/** The values of a range as in a call. */
function range(definition: object): unknown[] {
  const { size, json } = readRange(definition, place);
  return Array.from({ length: size }, (_, index) => JSON.parse(json(index)));
}

/** Draws of the first generator of a seed. */
function draws(definition: object, count: number, seed = 1): (number | string)[] {
  const draw = integerDraw(readBounds(definition, place));
  return generators(seed, 1).flatMap((generator) =>
    Array.from({ length: count }, () => JSON.parse(draw(generator)) as number | string),
  );
}

function bigints(values: readonly unknown[]): bigint[] {
  return values.map((value) => BigInt(value as string | number));
}

const U256 = 2n ** 256n - 1n;

/** Two integers in ascending order, close together or far apart. */
function bounds(least: bigint): fc.Arbitrary<readonly [from: bigint, to: bigint]> {
  return fc
    .tuple(
      fc.bigInt({ min: least, max: U256 }),
      fc.oneof(fc.bigInt({ min: 0n, max: 100n }), fc.bigInt({ min: 0n, max: U256 })),
    )
    .map(([from, distance]) => [from, from + distance] as const);
}

describe('a range', () => {
  test('goes from the first value in steps, and ends at or below the last', () => {
    assert.deepEqual(range({ from: 1000, to: 1300, step: 100 }), [1000, 1100, 1200, 1300]);
    assert.deepEqual(range({ from: -1, to: 6, step: 3 }), [-1, 2, 5]);
    assert.deepEqual(range({ from: 3, to: 5 }), [3, 4, 5]);
    assert.deepEqual(range({ from: 3, to: 3, step: 9 }), [3]);
  });

  test('has strings if its bounds are strings, however wide', () => {
    assert.deepEqual(range({ from: '100000000000000000000', to: '100000000000000000002', step: 1 }), [
      '100000000000000000000',
      '100000000000000000001',
      '100000000000000000002',
    ]);
  });

  test('has a count of values at equal distances up to rounding', () => {
    assert.deepEqual(range({ from: 0, to: 10, count: 4 }), [0, 3, 7, 10]);
    assert.deepEqual(range({ from: -10, to: 10, count: 3, scale: 'linear' }), [-10, 0, 10]);
    assert.deepEqual(range({ from: '0', to: '10', count: 11 }), [...'0123456789', '10']);
  });

  test('has a count of values at equal ratios', () => {
    assert.deepEqual(range({ from: 1, to: 1000, count: 4, scale: 'log' }), [1, 10, 100, 1000]);
    assert.deepEqual(range({ from: '7', to: String(7n * 10n ** 40n), count: 5, scale: 'log' }), [
      '7',
      `7${'0'.repeat(10)}`,
      `7${'0'.repeat(20)}`,
      `7${'0'.repeat(30)}`,
      `7${'0'.repeat(40)}`,
    ]);
  });

  test('advances by 1 as long as a logarithmic scale is finer than integers', () => {
    assert.deepEqual(range({ from: 1, to: 20, count: 9, scale: 'log' }), [1, 2, 3, 4, 5, 7, 9, 14, 20]);
    assert.deepEqual(range({ from: 1, to: 5, count: 5, scale: 'log' }), [1, 2, 3, 4, 5]);
  });

  test('with a count has this many ascending values and exact ends', () => {
    fc.assert(
      fc.property(
        bounds(1n),
        fc.integer({ min: 2, max: 60 }),
        fc.constantFrom('linear', 'log'),
        ([from, to], wanted, scale) => {
          fc.pre(to > from);
          const count = Math.min(Number(to - from) + 1, wanted);
          const values = bigints(range({ from: String(from), to: String(to), count, scale }));
          assert.equal(values.length, count);
          assert.equal(values[0], from);
          assert.equal(values.at(-1), to);
          assert.ok(values.every((value, index) => index === 0 || value > (values[index - 1] ?? value)));
        },
      ),
    );
  });

  test('on a logarithmic scale has the nearest integer or the successor of the value before', () => {
    fc.assert(
      fc.property(bounds(1n), fc.integer({ min: 2, max: 20 }), ([from, to], count) => {
        fc.pre(to - from >= BigInt(count));
        const values = bigints(range({ from: String(from), to: String(to), count, scale: 'log' }));
        const gaps = BigInt(count - 1);
        for (const [index, value] of values.entries()) {
          // value - 1/2 ≤ from^(1 - index / gaps) · to^(index / gaps) ≤ value + 1/2, without fractions.
          const series = 2n ** gaps * from ** (gaps - BigInt(index)) * to ** BigInt(index);
          const isNearest = (2n * value - 1n) ** gaps <= series && series <= (2n * value + 1n) ** gaps;
          assert.ok(isNearest || value === (values[index - 1] ?? 0n) + 1n, `value ${index}: ${value}`);
        }
      }),
    );
  });
});

test('a geometric curve stays between its ends', () => {
  fc.assert(
    fc.property(bounds(1n), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), ([from, to], x) => {
      const curve = new GeometricCurve(from, to);
      const last = (1n << BigInt(curve.bits)) - 1n;
      for (const at of [x << BigInt(curve.bits - 64), 0n, last]) {
        assert.ok(curve.below(at) >= from && curve.below(at) <= to);
        assert.ok(curve.near(at) >= from && curve.near(at) <= to);
      }
      assert.equal(curve.below(0n), from);
      assert.equal(curve.near(last), to);
    }),
  );
});

describe('a random parameter', () => {
  test('stays within its bounds, however wide', () => {
    fc.assert(
      fc.property(bounds(1n), fc.nat(), fc.constantFrom('linear', 'log'), ([from, to], seed, scale) => {
        const values = bigints(draws({ from: String(from), to: String(to), scale }, 20, seed));
        assert.ok(values.every((value) => value >= from && value <= to));
      }),
    );
  });

  test('draws every integer, the bounds included, with the same probability', () => {
    const counts = new Map<number | string, number>();
    for (const value of draws({ from: -3, to: 6 }, 10_000)) counts.set(value, (counts.get(value) ?? 0) + 1);
    assert.deepEqual(
      [...counts.keys()].map(Number).sort((one, other) => one - other),
      [-3, -2, -1, 0, 1, 2, 3, 4, 5, 6],
    );
    for (const [value, count] of counts) assert.ok(Math.abs(count - 1_000) < 150, `${value}: ${count}`);
  });

  test('draws from a wide range without the bias of a remainder', () => {
    // The remainder of 128 random bits would be in the first third for half of the draws.
    const third = 2n ** 126n;
    const values = bigints(draws({ from: '0', to: String(3n * third - 1n) }, 3_000));
    const counts = [0n, 1n, 2n].map((part) => values.filter((value) => value / third === part).length);
    for (const count of counts) assert.ok(Math.abs(count - 1_000) < 120, String(counts));
  });

  test('on a logarithmic scale draws equal ratios with the same probability', () => {
    const decades = draws({ from: 1, to: 999_999, scale: 'log' }, 6_000).map((value) => String(value).length);
    for (let digits = 1; digits <= 6; digits++) {
      const count = decades.filter((decade) => decade === digits).length;
      assert.ok(Math.abs(count - 1_000) < 120, `${digits} digits: ${count}`);
    }
    // The shares of the logarithms of 2, 3 / 2 and 4 / 3.
    const small = draws({ from: 1, to: 3, scale: 'log' }, 10_000);
    const shares = [1, 2, 3].map((value) => small.filter((drawn) => drawn === value).length / 10_000);
    for (const [index, share] of [0.5, 0.2925, 0.2075].entries()) {
      assert.ok(Math.abs((shares[index] ?? 0) - share) < 0.02, String(shares));
    }
  });

  test('has the same draws whatever random parameters follow, and shares none with them', () => {
    const first = (generator: ReturnType<typeof generators>[number] | undefined) =>
      Array.from({ length: 10 }, () => generator?.next());
    const [alone] = generators(7, 1).map(first);
    const three = generators(7, 3).map(first);
    assert.deepEqual(three[0], alone);
    assert.equal(new Set(three.flat()).size, 30);
  });
});
