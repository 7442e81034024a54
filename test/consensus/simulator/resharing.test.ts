import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  RESHARING_ACTORS,
  type ResharingActor,
} from '../../../src/consensus/simulator/resharing/resharing-scenario.js';
import { simulateResharing } from '../../../src/consensus/simulator/resharing/simulate-resharing.js';
import { simulateResharingSeeds } from '../../support/simulated-seeds.js';

test('four validators hand on the key as promised, over 250 seeds', () => simulateResharingSeeds(4, 1, 250));
test('seven validators hand on the key as promised, over 50 seeds', () => simulateResharingSeeds(7, 1, 50));
test('two validators hand on the key as promised, over 10 seeds', () => simulateResharingSeeds(2, 1, 10));

async function traceOf(seed: number): Promise<string[]> {
  const lines: string[] = [];
  await simulateResharing({ seed, validators: 4, trace: (line) => lines.push(line) });
  return lines;
}

test('the same seed gives the same run of resharing, another seed another one', async () => {
  for (const seed of [3, 4, 5]) {
    const run = await traceOf(seed);
    assert.ok(run.length > 100);
    assert.deepEqual(await traceOf(seed), run);
    assert.notDeepEqual(await traceOf(seed + 100), run);
  }
});

test('every kind of faulty validator takes part, some epochs fail, and sets change', async () => {
  const seen = new Set<ResharingActor>();
  const lines: string[] = [];
  for (let seed = 1; seed <= 60; seed++) {
    const { scenario } = await simulateResharing({ seed, validators: 4, trace: (line) => lines.push(line) });
    for (const actor of [...scenario.faulty.values()].flat()) seen.add(actor);
  }
  assert.deepEqual([...seen].sort(), [...RESHARING_ACTORS].sort());
  for (const event of [
    /is over, not reshared/,
    /is over, reshared by .*; 3 validators follow/,
    /is over, reshared by .*; 5 validators follow/,
    /complaints about \d/,
    /crashes at height/,
    /partition of/,
  ])
    assert.ok(
      lines.some((line) => event.test(line)),
      String(event),
    );
});

test('runs of resharing can exclude faulty validators or select some kinds of them', async () => {
  for (let seed = 1; seed <= 10; seed++) {
    const honest = await simulateResharing({ seed, validators: 4, actors: [] });
    assert.equal(honest.scenario.faulty.size, 0);
    const { scenario } = await simulateResharing({ seed, validators: 7, actors: ['garbler'] });
    assert.ok([...scenario.faulty.values()].flat().every((actor) => actor === 'garbler'));
  }
});
