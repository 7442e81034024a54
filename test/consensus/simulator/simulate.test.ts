import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Random } from '../../../src/consensus/simulator/random.js';
import { ACTORS, type ActorName, drawScenario } from '../../../src/consensus/simulator/scenario.js';
import { simulate } from '../../../src/consensus/simulator/simulate.js';
import { spread, sweep } from '../../support/sweep.js';

/** Within so many seeds, every kind of faulty validator must take part. */
const MAX_SEEDS = 150;

async function traceOf(seed: number): Promise<string[]> {
  const lines: string[] = [];
  await simulate({ seed, validators: 7, trace: (line) => lines.push(line) });
  return lines;
}

test('the same seed repeats a run, and another seed gives another run', async () => {
  for (const seed of spread([3, 4, 5], 1)) {
    const run = await traceOf(seed);
    assert.ok(run.length > 50);
    assert.deepEqual(await traceOf(seed), run);
    assert.notDeepEqual(await traceOf(seed + 100), run);
  }
});

test('the same seed gives the same trace in another process, byte for byte', async () => {
  const main = fileURLToPath(new URL('../../../bundle/main.js', import.meta.url));
  const args = ['simulate-consensus', '--seed', '11', '--validators', '7', '--trace'];
  const { stdout } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
  assert.deepEqual(stdout.trimEnd().split('\n').slice(0, -1), await traceOf(11));
});

test('every kind of faulty validator takes part in some run', () => {
  const missing = new Set<ActorName>(ACTORS);
  for (let seed = 1; seed <= MAX_SEEDS && missing.size > 0; seed++) {
    const { faulty } = drawScenario({ seed, validators: 4 }, new Random(seed));
    for (const actor of [...faulty.values()].flat()) missing.delete(actor);
  }
  assert.deepEqual([...missing], []);
});

test('runs can exclude faulty validators or select some kinds of them', async () => {
  for (let seed = 1; seed <= sweep(2); seed++) {
    const honest = await simulate({ seed, validators: 4, actors: [] });
    assert.equal(honest.scenario.faulty.size, 0);
    const { scenario } = await simulate({ seed, validators: 7, actors: ['twins'] });
    assert.ok([...scenario.faulty.values()].flat().every((actor) => actor === 'twins'));
  }
});
