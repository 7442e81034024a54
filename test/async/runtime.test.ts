import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sleep } from '../../src/async/runtime.js';
import { ManualRuntime } from '../support/worlds/manual-runtime.js';

test('a sleep ends after its delay', async () => {
  const runtime = new ManualRuntime();
  let isOver = false;
  const slept = sleep(runtime, 10).then(() => {
    isOver = true;
  });
  runtime.advance(9);
  await Promise.resolve();
  assert.equal(isOver, false);
  runtime.advance(1);
  await slept;
});

test('an abort ends a sleep and its timer', async () => {
  const runtime = new ManualRuntime();
  const abort = new AbortController();
  const slept = sleep(runtime, 10, abort.signal);
  assert.equal(runtime.timers, 1);
  abort.abort();
  await slept;
  assert.equal(runtime.timers, 0);
  await sleep(runtime, 10, abort.signal);
  assert.equal(runtime.timers, 0);
});
