import { test } from 'node:test';
import { simulateSeeds } from '../../support/simulated-seeds.js';

test('one validator keeps what the agreement promises, over 200 seeds', () => simulateSeeds(1, 1, 200));
test('four validators keep what the agreement promises, over 1,600 seeds', () => simulateSeeds(4, 1, 1_600));
test('five validators keep what the agreement promises, over 500 seeds', () => simulateSeeds(5, 1, 500));
