import { test } from 'node:test';
import { simulateSeeds } from '../../support/networks/simulated-seeds.js';
import { perTier, sweep } from '../../support/sweep.js';

/** Numbers of validators, and of the seeds of a sweep. */
const COUNTS = [
  [1, 10],
  [5, 15],
  [7, 30],
  [10, 4],
] as const;

for (const [validators, seeds] of COUNTS) {
  test(`agreement keeps its promises among ${validators}, over a sweep of seeds`, () =>
    simulateSeeds(validators, 1, perTier(Math.ceil(seeds / 3), sweep(seeds))));
}
