import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ExecutionError } from '../../src/execution/execution-error.js';
import { ExecutionPool } from '../../src/execution/pool/execution-pool.js';
import { sweep } from '../support/sweep.js';

const MOMENTS = sweep(4);

const startPool = () => new ExecutionPool({ setup: { native: 'auto' }, workers: 2 });
const runTask = (pool: ExecutionPool) => pool.run('verify_signatures', new Uint8Array());

/** Milliseconds until a new pool answers its first task. */
async function startTime(): Promise<number> {
  const begin = performance.now();
  const pool = startPool();
  await runTask(pool);
  const ms = performance.now() - begin;
  await pool.stop();
  return ms;
}

describe('stopping the pool', () => {
  // A thread that is terminated while it requires an ES module, or while native code is initialized, would crash the
  // process (see import-worker.cts and native-loads.ts).
  it('is safe at any moment of its start', async () => {
    const startMs = await startTime();
    for (let moment = 0; moment < MOMENTS; moment++) {
      const pool = startPool();
      const ended = Promise.allSettled([runTask(pool)]);
      await delay((moment * startMs) / MOMENTS);
      await pool.stop();
      await ended;
    }
  });

  it('fails the tasks that wait for a thread as stopped', async () => {
    const pool = startPool();
    const waiting = Array.from({ length: 4 }, () => runTask(pool));
    const ended = Promise.allSettled(waiting);
    await pool.stop();
    for (const outcome of await ended) {
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof ExecutionError);
      assert.equal(outcome.reason.code, 'stopped');
    }
    await assert.rejects(runTask(pool), { code: 'stopped' });
  });
});
