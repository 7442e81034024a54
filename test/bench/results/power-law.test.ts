import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fitPowerLaw } from '../../../bench/results/power-law.js';
import { seededRandom } from '../../../src/load/workload.js';

const near = (actual: number | undefined, expected: number, tolerance: number): void =>
  assert.ok(actual !== undefined && Math.abs(actual - expected) <= tolerance, `${actual} for ${expected}`);

describe('a power law', () => {
  test('is found exactly in exact data', () => {
    for (const exponent of [-1, 0, 0.5, 1, 2]) {
      const fit = fitPowerLaw([1, 10, 1_000, 1e6].map((size) => ({ size, value: 3 * size ** exponent })));
      near(fit?.exponent, exponent, 1e-12);
      near(fit?.factor, 3, 1e-9);
      near(fit?.error, 0, 1e-7);
      near(fit?.rSquared, 1, 1e-12);
    }
  });

  test('has the exponent, error and R² of the formulas, worked out by hand', () => {
    // Logarithms x = 0, 1, 2, 3 and y = 0, 1, 3, 2.5: Σ(x−x̄)² = 5, Σ(x−x̄)(y−ȳ) = 4.75, Σ(y−ȳ)² = 5.6875.
    const points = [0, 1, 3, 2.5].map((y, x) => ({ size: Math.exp(x), value: Math.exp(y) }));
    const fit = fitPowerLaw(points);
    near(fit?.exponent, 0.95, 1e-9);
    // The residuals −0.2, −0.15, 0.9 and −0.55 have 1.175 as the sum of squares; 1.175 / 2 / 5 = 0.1175.
    near(fit?.error, Math.sqrt(0.1175), 1e-9);
    near(fit?.rSquared, 1 - 1.175 / 5.6875, 1e-9);
  });

  test('is found in noisy data, and its error covers the noise', () => {
    const random = seededRandom(7);
    let within = 0;
    for (let run = 0; run < 100; run++) {
      const points = [1e3, 1e4, 1e5, 1e6].flatMap((size) =>
        [1, 2, 3].map(() => ({ size, value: 5 * size * (0.8 + 0.4 * random()) })),
      );
      const fit = fitPowerLaw(points);
      assert.ok(fit?.error !== undefined && fit.error > 0 && fit.error < 0.05);
      if (Math.abs(fit.exponent - 1) <= 2 * fit.error) within++;
    }
    assert.ok(within >= 85, `${within} of 100 fits are within two errors`);
  });

  test('of a constant has the exponent 0', () => {
    const fit = fitPowerLaw([1, 10, 100].map((size) => ({ size, value: 4 })));
    assert.deepEqual([fit?.exponent, fit?.rSquared], [0, 1]);
  });

  test('has neither error nor R² with two points, and does not exist with one size or without logarithms', () => {
    const two = fitPowerLaw([
      { size: 1, value: 1 },
      { size: 10, value: 10 },
    ]);
    near(two?.exponent, 1, 1e-12);
    assert.deepEqual(Object.keys(two ?? {}), ['factor', 'exponent']);
    assert.equal(fitPowerLaw([{ size: 1, value: 1 }]), undefined);
    assert.equal(fitPowerLaw([1, 2].map((value) => ({ size: 8, value }))), undefined);
    assert.equal(fitPowerLaw([0, 1, 2].map((size) => ({ size, value: 1 }))), undefined);
    assert.equal(fitPowerLaw([1, 2].map((size) => ({ size, value: 0 }))), undefined);
  });
});
