import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  RESHARING_ACTORS,
  type ResharingActor,
} from '../../../src/consensus/simulator/resharing/resharing-scenario.js';
import { simulateResharing } from '../../../src/consensus/simulator/resharing/simulate-resharing.js';
import { simulateResharingSeeds } from '../../support/networks/simulated-seeds.js';
import { perTier, spread, sweep } from '../../support/sweep.js';

/** Numbers of validators, and of the seeds of a sweep. */
const COUNTS = [
  [2, 1],
  [4, 25],
  [7, 5],
] as const;

/** Within so many seeds, everything that faults can cause must happen. */
const MAX_SEEDS = 60;

for (const [validators, seeds] of COUNTS) {
  test(`${validators} validators hand on the key as promised, over a sweep of seeds`, () =>
    simulateResharingSeeds(validators, 1, perTier(Math.ceil(seeds / 3), sweep(seeds))));
}

async function traceOf(seed: number): Promise<string[]> {
  const lines: string[] = [];
  await simulateResharing({ seed, validators: 4, trace: (line) => lines.push(line) });
  return lines;
}

test('the same seed repeats a run of resharing, and another seed gives another run', async () => {
  for (const seed of spread([3, 4, 5], 1)) {
    const run = await traceOf(seed);
    assert.ok(run.length > 100);
    assert.deepEqual(await traceOf(seed), run);
    assert.notDeepEqual(await traceOf(seed + 100), run);
  }
});

test('every kind of faulty validator takes part, some epochs fail, and sets change', async () => {
  const actors = new Set<ResharingActor>(RESHARING_ACTORS);
  const events = new Set([
    /is over, not reshared/,
    /is over, reshared by .*; 3 validators follow/,
    /is over, reshared by .*; 5 validators follow/,
    /complaints about \d/,
    /crashes at height/,
    /partition of/,
  ]);
  const trace = (line: string) => {
    for (const event of events) if (event.test(line)) events.delete(event);
  };
  for (let seed = 1; seed <= MAX_SEEDS && actors.size + events.size > 0; seed++) {
    const { scenario } = await simulateResharing({ seed, validators: 4, trace });
    for (const actor of [...scenario.faulty.values()].flat()) actors.delete(actor);
  }
  assert.deepEqual([...actors, ...events], []);
});

test('runs of resharing can exclude faulty validators or select some kinds of them', async () => {
  for (let seed = 1; seed <= sweep(1); seed++) {
    const honest = await simulateResharing({ seed, validators: 4, actors: [] });
    assert.equal(honest.scenario.faulty.size, 0);
    const { scenario } = await simulateResharing({ seed, validators: 7, actors: ['garbler'] });
    assert.ok([...scenario.faulty.values()].flat().every((actor) => actor === 'garbler'));
  }
});
