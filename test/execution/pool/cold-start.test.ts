import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Cancellation } from '../../../src/execution/cancellation.js';
import type { ExecutionPool } from '../../../src/execution/pool/execution-pool.js';
import { NodeParts } from '../../support/nodes/node-parts.js';
import { type SlowStartSetup, WORD } from '../../support/threads/slow-start.js';

const THREADS = 3;
const HANG = new Uint8Array([1]);

interface SlowPool {
  readonly pool: ExecutionPool;
  readonly words: Int32Array<SharedArrayBuffer>;
}

/** A pool in which only the first thread starts until the others are released. */
function startSlowly(worker: string): SlowPool {
  const parts = new NodeParts();
  const words = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
  after(async () => {
    letStart(words);
    await parts.close();
  });
  const setup: SlowStartSetup = { native: 'off', words };
  const pool = parts.execution({
    setup,
    workers: THREADS,
    startedWorkers: 1,
    worker: new URL(`../../support/threads/${worker}.js`, import.meta.url),
  });
  return { pool, words };
}

function letStart(words: Int32Array): void {
  Atomics.store(words, WORD.mayStart, 1);
  Atomics.notify(words, WORD.mayStart);
}

async function untilLoading(words: Int32Array<SharedArrayBuffer>, threads: number): Promise<void> {
  for (let loading = Atomics.load(words, WORD.loading); loading < threads; ) {
    await Atomics.waitAsync(words, WORD.loading, loading).value;
    loading = Atomics.load(words, WORD.loading);
  }
}

const check = (pool: ExecutionPool, together = 0) =>
  pool.run('verify_signatures', new Uint8Array([together]));

describe('a pool that has just started', () => {
  it('starts every thread with the first task, and the running one serves tasks meanwhile', async () => {
    const { pool, words } = startSlowly('slow-start-worker');
    await check(pool);
    await untilLoading(words, THREADS);
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: 2 * THREADS }, () => check(pool)));
    }
    letStart(words);
    // No task ends before every thread runs one.
    await Promise.all(Array.from({ length: THREADS }, () => check(pool, THREADS)));
  });

  it('starts no other thread before the first task', async () => {
    const { words } = startSlowly('slow-start-worker');
    await untilLoading(words, 1);
    assert.equal(Atomics.load(words, WORD.loading), 1);
  });

  it('replaces a terminated thread for waiting tasks', async () => {
    const parts = new NodeParts();
    after(() => parts.close());
    const worker = new URL('../../support/threads/replacing-worker.js', import.meta.url);
    const pool = parts.execution({ setup: { native: 'off' }, workers: 2, worker });
    const hanging = [new Cancellation(), new Cancellation()].map((cancellation) => ({
      cancellation,
      end: assert.rejects(pool.run('verify_signatures', HANG, { cancellation }), { code: 'aborted' }),
    }));
    await setTimeout(100);
    const waiting = pool.run('verify_signatures', new Uint8Array(0));
    for (const { cancellation, end } of hanging) {
      cancellation.cancel();
      await end;
      assert.deepEqual(await waiting, new Uint8Array(0));
    }
  });
});
