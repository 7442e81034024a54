import { test } from 'node:test';
import { simulateSeeds } from '../../support/networks/simulated-seeds.js';
import { perTier, sweep } from '../../support/sweep.js';
import { FOUND_SEEDS } from './found-seeds.js';

test('the seeds that have found something keep what the agreement promises', async () => {
  for (const { validators, seed } of FOUND_SEEDS) await simulateSeeds(validators, seed, seed);
});

test('four validators keep what the agreement promises, over a sweep of seeds', () =>
  simulateSeeds(4, 1, perTier(30, sweep(150))));
