import { test } from 'node:test';
import { simulateSeeds } from '../../support/networks/simulated-seeds.js';
import { sweep } from '../../support/sweep.js';

test('four validators keep what the agreement promises, over another sweep of seeds', () =>
  simulateSeeds(4, sweep(150) + 1, sweep(300)));
