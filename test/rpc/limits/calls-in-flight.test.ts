import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { SlotPool } from '../../../src/async/slot-pool.js';
import { CallsInFlight } from '../../../src/rpc/limits/calls-in-flight.js';

test('the limit on calls in flight holds across threads', async () => {
  const memory = SlotPool.memory();
  const places = new SharedArrayBuffer(8);
  const most = 3;
  const workers = [1, 2, 3].map(
    () =>
      new Worker(new URL('../../support/threads/call-taking-worker.js', import.meta.url), {
        workerData: { memory, places, most, rounds: 30_000 },
      }),
  );
  await Promise.all(workers.map((worker) => once(worker, 'exit')));
  const [held, worst] = new Int32Array(places);
  assert.equal(held, 0);
  assert.ok(worst !== undefined && worst >= 1 && worst <= most, `${worst} at a time`);
  assert.equal(new CallsInFlight(memory).all, 0);
});
