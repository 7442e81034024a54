import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { TimeBudget } from '../../../src/execution/parallel/speculation-budget.js';

/* The block has 1,000 gas; workers execute 1 gas in 1 ms. */
describe('the budget of speculation', () => {
  let now = 0;
  let budget: TimeBudget;

  beforeEach(() => {
    now = 100;
    budget = new TimeBudget(() => now);
    now = 500;
    budget.begin();
  });

  test('is a tenth of the block at the start', () => {
    assert.equal(budget.spareGas(1_000), 100);
  });

  test('shrinks by the time of invalid work', () => {
    now += 60;
    budget.worked(60, 60);
    assert.equal(budget.spareGas(1_000), 40);
    now += 60;
    budget.worked(60, 60);
    assert.equal(budget.spareGas(1_000), -20);
  });

  test('grows by the time that workers gain side by side', () => {
    now += 60;
    budget.worked(60, 60);
    budget.worked(60, 60);
    budget.merged(120, 0);
    assert.equal(budget.spareGas(880), 160);
  });

  test('does not count the time of merging', () => {
    now += 100;
    budget.worked(60, 60);
    budget.merged(60, 40);
    assert.equal(budget.spareGas(940), 100);
  });

  test('measures the gas that a worker uses in a time', () => {
    assert.equal(budget.gasIn(2), 2_000_000, 'the usual, before anything ran');
    budget.worked(60, 20);
    assert.equal(budget.gasIn(2), 6);
  });

  test('calls a round wasted if most of a large enough sample is invalid', () => {
    assert.equal(budget.isWasted(51, 100, 1_000), true);
    assert.equal(budget.isWasted(50, 100, 1_000), false);
    assert.equal(budget.isWasted(20, 20, 1_000), false);
  });
});
