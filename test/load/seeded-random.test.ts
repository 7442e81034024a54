import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomBelow, seededRandom } from '../../src/load/workload.js';

function draws(seed: number, count: number): readonly number[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => random());
}

test('a seed always gives the same numbers, and another seed gives different ones from the first on', () => {
  assert.deepEqual(draws(7, 100), draws(7, 100));
  const firsts = new Set(Array.from({ length: 1_000 }, (_, seed) => draws(seed, 1)[0]));
  assert.equal(firsts.size, 1_000);
});

test('numbers spread over the range from 0 to below 1', () => {
  const numbers = draws(1, 10_000);
  assert.ok(numbers.every((number) => number >= 0 && number < 1));
  const tenths = new Set(numbers.map((number) => Math.floor(number * 10)));
  assert.equal(tenths.size, 10);
});

test('integers reach every value below their bound and none beyond', () => {
  const random = seededRandom(3);
  const values = new Set(Array.from({ length: 1_000 }, () => randomBelow(random, 6)));
  assert.deepEqual([...values].sort(), [0, 1, 2, 3, 4, 5]);
  assert.equal(randomBelow(random, 1), 0);
});
