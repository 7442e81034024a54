import { test } from 'node:test';
import { simulateSeeds } from '../../support/simulated-seeds.js';

test('one validator keeps what the agreement promises, over 100 seeds', () => simulateSeeds(1, 1, 100));
test('five validators keep what the agreement promises, over 150 seeds', () => simulateSeeds(5, 1, 150));
test('seven validators keep what the agreement promises, over 300 seeds', () => simulateSeeds(7, 1, 300));
test('ten validators keep what the agreement promises, over 40 seeds', () => simulateSeeds(10, 1, 40));
