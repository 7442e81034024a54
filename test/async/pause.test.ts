import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pause } from '../../src/async/pause.js';

test('a pause that runs to its end reports so', async () => {
  assert.equal(await pause(1, new AbortController().signal), true);
});

test('a signal ends a pause early, without an error', async () => {
  const controller = new AbortController();
  const paused = pause(3_600_000, controller.signal);
  controller.abort(new Error('enough'));
  assert.equal(await paused, false);
});

test('a signal that has already aborted skips the pause', async () => {
  assert.equal(await pause(3_600_000, AbortSignal.abort()), false);
});
