import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

const BURST_MIB = 256;

test('an idle thread gives back the garbage of its last burst', async () => {
  const worker = new Worker(new URL('../support/threads/bursting-worker.js', import.meta.url), {
    workerData: BURST_MIB,
  });
  const used = async (): Promise<number> => ((await once(worker, 'message')) as [number])[0];
  try {
    while ((await used()) < BURST_MIB);
    // The loop covers 6 s of the worker's time; V8 alone would wait at least 8 s.
    for (let look = 0; look < 30; look++) {
      if ((await used()) < BURST_MIB / 4) return;
    }
    assert.fail(`${BURST_MIB} MiB are still in use`);
  } finally {
    await worker.terminate();
  }
});
