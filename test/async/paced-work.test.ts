import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { PacedWork } from '../../src/async/paced-work.js';

test('requests share a run that begins after they arrive', async () => {
  let runs = 0;
  const ends: (() => void)[] = [];
  const work = new PacedWork(async () => {
    const run = ++runs;
    await new Promise<void>((resolve) => ends.push(resolve));
    return run;
  });
  const first = [work.result(), work.result(), work.result()];
  await sleep(5);
  assert.equal(runs, 1);
  const later = [work.result(), work.result()];
  await sleep(5);
  assert.equal(runs, 1, 'no run begins while another one is in progress');
  ends[0]?.();
  assert.deepEqual(await Promise.all(first), [1, 1, 1]);
  while (runs < 2) await sleep(5);
  ends[1]?.();
  assert.deepEqual(await Promise.all(later), [2, 2]);
});

test('runs take at most a tenth of the time', async () => {
  let runs = 0;
  const work = new PacedWork(async () => {
    await sleep(20);
    runs++;
  });
  const begun = performance.now();
  const alive = setInterval(() => undefined, 1_000);
  while (runs < 4) await work.result();
  clearInterval(alive);
  assert.ok(performance.now() - begun >= 3 * 10 * 19);
});

test('a failure reaches its requests alone', async () => {
  let runs = 0;
  const work = new PacedWork(async () => {
    if (++runs === 1) throw new Error('broken');
    return runs;
  });
  const failed = [work.result(), work.result()];
  for (const one of failed) await assert.rejects(one, /broken/);
  const alive = setInterval(() => undefined, 1_000);
  assert.equal(await work.result(), 2);
  clearInterval(alive);
});
