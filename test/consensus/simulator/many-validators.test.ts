import { test } from 'node:test';
import { simulateSeeds } from '../../support/simulated-seeds.js';

test('seven validators keep what the agreement promises, over 600 seeds', () => simulateSeeds(7, 1, 600));
test('ten validators keep what the agreement promises, over 200 seeds', () => simulateSeeds(10, 1, 200));
