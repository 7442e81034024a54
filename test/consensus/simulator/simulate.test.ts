import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ACTORS, type ActorName } from '../../../src/consensus/simulator/scenario.js';
import { simulate } from '../../../src/consensus/simulator/simulate.js';

function traceOf(seed: number): string[] {
  const lines: string[] = [];
  simulate({ seed, validators: 7, trace: (line) => lines.push(line) });
  return lines;
}

test('the same seed gives the same run, another seed another one', () => {
  for (const seed of [3, 4, 5]) {
    const run = traceOf(seed);
    assert.ok(run.length > 50);
    assert.deepEqual(traceOf(seed), run);
    assert.notDeepEqual(traceOf(seed + 100), run);
  }
});

test('every kind of faulty validator takes part in some run', () => {
  const seen = new Set<ActorName>();
  for (let seed = 1; seed <= 150; seed++) {
    for (const actor of simulate({ seed, validators: 4 }).scenario.byzantine.values()) seen.add(actor);
  }
  assert.deepEqual([...seen].sort(), [...ACTORS].sort());
});

test('runs can exclude faulty validators or select some kinds of them', () => {
  for (let seed = 1; seed <= 20; seed++) {
    assert.equal(simulate({ seed, validators: 4, actors: [] }).scenario.byzantine.size, 0);
    const { scenario } = simulate({ seed, validators: 7, actors: ['twins'] });
    assert.ok([...scenario.byzantine.values()].every((actor) => actor === 'twins'));
  }
});
