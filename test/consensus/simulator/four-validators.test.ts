import { test } from 'node:test';
import { simulateSeeds } from '../../support/simulated-seeds.js';

test('four validators keep what the agreement promises, over seeds 1 to 1,500', () =>
  simulateSeeds(4, 1, 1_500));
