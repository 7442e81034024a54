import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ACTORS, type ActorName } from '../../../src/consensus/simulator/scenario.js';
import { simulate } from '../../../src/consensus/simulator/simulate.js';

async function traceOf(seed: number): Promise<string[]> {
  const lines: string[] = [];
  await simulate({ seed, validators: 7, trace: (line) => lines.push(line) });
  return lines;
}

test('the same seed gives the same run, another seed another one', async () => {
  for (const seed of [3, 4, 5]) {
    const run = await traceOf(seed);
    assert.ok(run.length > 50);
    assert.deepEqual(await traceOf(seed), run);
    assert.notDeepEqual(await traceOf(seed + 100), run);
  }
});

test('the same seed gives the same trace in another process, byte for byte', async () => {
  const main = fileURLToPath(new URL('../../../bundle/main.js', import.meta.url));
  const args = ['simulate-consensus', '--seed', '11', '--validators', '7', '--trace'];
  const run = await traceOf(11);
  for (let i = 0; i < 2; i++) {
    const { stdout } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
    assert.deepEqual(stdout.trimEnd().split('\n').slice(0, -1), run);
  }
});

test('every kind of faulty validator takes part in some run', async () => {
  const seen = new Set<ActorName>();
  for (let seed = 1; seed <= 150; seed++) {
    const { scenario } = await simulate({ seed, validators: 4 });
    for (const actor of [...scenario.byzantine.values()].flat()) seen.add(actor);
  }
  assert.deepEqual([...seen].sort(), [...ACTORS].sort());
});

test('runs can exclude faulty validators or select some kinds of them', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const honest = await simulate({ seed, validators: 4, actors: [] });
    assert.equal(honest.scenario.byzantine.size, 0);
    const { scenario } = await simulate({ seed, validators: 7, actors: ['twins'] });
    assert.ok([...scenario.byzantine.values()].flat().every((actor) => actor === 'twins'));
  }
});
