import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CryptoError } from '../../../src/crypto/crypto-error.js';
import { LagrangeCache, lagrangeAtZero, weightsAtZero } from '../../../src/crypto/scalars/lagrange.js';
import { GROUP_ORDER, modOrder, weightedSum } from '../../../src/crypto/scalars/scalars.js';

const scalar = fc.bigInt({ min: 0n, max: GROUP_ORDER - 1n });

function refused(code: string) {
  return (error: unknown) => error instanceof CryptoError && error.code === code;
}

test('weights interpolate any polynomial at 0', () => {
  const sets = fc.uniqueArray(fc.nat({ max: 40 }), { minLength: 1, maxLength: 12 });
  const cache = new LagrangeCache();
  fc.assert(
    fc.property(
      sets,
      fc.array(scalar, { minLength: 12, maxLength: 12 }),
      scalar,
      (indices, rest, constant) => {
        const polynomial = [constant, ...rest].slice(0, indices.length);
        const at = (x: bigint) =>
          polynomial.reduceRight((sum, coefficient) => modOrder(sum * x + coefficient), 0n);
        const { numerators, scale } = lagrangeAtZero(indices);
        const sum = indices.reduce(
          (total, index, place) => total + (numerators[place] ?? 0n) * at(BigInt(index) + 1n),
          0n,
        );
        assert.equal(modOrder(sum * scale), constant);
        const values = indices.map((index) => at(BigInt(index) + 1n));
        assert.equal(weightedSum(values, weightsAtZero(indices)), constant);
        assert.deepEqual(cache.at(indices), { numerators, scale });
        assert.deepEqual(cache.at(indices), { numerators, scale });
      },
    ),
  );
});

test('numerators are small for sets of validator size', () => {
  const { numerators } = lagrangeAtZero([0, 2, 3, 5, 6, 8, 9]);
  for (const numerator of numerators) assert.ok(numerator ** 2n < 10n ** 8n, `${numerator}`);
  assert.deepEqual(lagrangeAtZero([0, 1, 2]), { numerators: [3n, -3n, 1n], scale: 1n });
});

test('empty sets, duplicates and invalid indices are refused', () => {
  for (const indices of [[], [1, 1], [0, 1, 1], [-1], [-1, 0], [0.5], [Number.NaN], [70_000]]) {
    assert.throws(() => lagrangeAtZero(indices), refused('out_of_range'), `${indices}`);
    assert.throws(() => weightsAtZero(indices), refused('out_of_range'), `${indices}`);
  }
});
