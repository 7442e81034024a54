import { test } from 'node:test';
import { simulateSeeds } from '../../support/simulated-seeds.js';

test('four validators keep what the agreement promises, over seeds 1,501 to 3,000', () =>
  simulateSeeds(4, 1_501, 3_000));
