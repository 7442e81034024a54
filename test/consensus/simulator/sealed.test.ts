import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RULES } from '../../../src/consensus/core/rules.js';
import { Random } from '../../../src/consensus/simulator/random.js';
import { simulateScenario } from '../../../src/consensus/simulator/simulate.js';
import { simulateSeeds } from '../../support/networks/simulated-seeds.js';
import { sweep } from '../../support/sweep.js';
import { calmSealedScenario } from '../../support/worlds/calm-sealed-scenario.js';

/** A block time of 250 ms, and 150 ms to each other validator. */
async function overFarValidators(rules: Partial<typeof RULES>) {
  const network = { seed: 1, validators: 4, blockTimeMs: 250, latencyMs: [150, 155] } as const;
  const scenario = calmSealedScenario(network);
  return simulateScenario(scenario, new Random(1), { rules: { ...RULES, ...rules } });
}

test('distant validators include transactions even if each height has an envelope', async () => {
  const { openBlocks, violation } = await overFarValidators({});
  assert.equal(violation, undefined);
  assert.ok(openBlocks.withTransactions >= openBlocks.able - 1);
});

test('a broken rule is noticed: rule 2: a leader proposes without waiting for a key', async () => {
  const { violation } = await overFarValidators({ keyWaitMs: () => 0 });
  assert.match(violation?.what ?? '', /^transactions get into \d of \d+ blocks$/);
});

test('four validators keep what the agreement promises with envelopes at every height, over a sweep of seeds', () =>
  simulateSeeds(4, 1, sweep(3), true));

test('seven validators keep what the agreement promises with envelopes at every height', () =>
  simulateSeeds(7, 1, sweep(2), true));
