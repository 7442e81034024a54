import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Cancellation } from '../../../src/execution/cancellation.js';
import type { ExecutionPool } from '../../../src/execution/pool/execution-pool.js';
import { NodeParts } from '../../support/nodes/node-parts.js';
import { HANG, type LoadingSetup, WORD } from '../../support/threads/loading.js';

const WORKERS = 2;
const NOTHING = new Uint8Array(0);

function open(t: TestContext): {
  readonly pool: ExecutionPool;
  readonly words: Int32Array<SharedArrayBuffer>;
} {
  const parts = new NodeParts();
  const words = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  t.after(async () => {
    Atomics.store(words, WORD.mayLoad, WORKERS + 10);
    Atomics.notify(words, WORD.mayLoad);
    await parts.close();
  });
  Atomics.store(words, WORD.mayLoad, WORKERS);
  const setup: LoadingSetup = { native: 'off', words };
  const worker = new URL('../../support/threads/loading-worker.js', import.meta.url);
  return { pool: parts.execution({ setup, workers: WORKERS, worker }), words };
}

const check = (pool: ExecutionPool) => pool.run('verify_signatures', NOTHING);

function hang(pool: ExecutionPool): { readonly cancellation: Cancellation; readonly end: Promise<void> } {
  const cancellation = new Cancellation();
  const hanging = pool.run('verify_signatures', HANG, { cancellation });
  return { cancellation, end: assert.rejects(hanging, { code: 'aborted' }) };
}

describe('a pool', () => {
  it('starts its threads with the first task', async (t) => {
    const { pool, words } = open(t);
    await setTimeout(50);
    assert.equal(Atomics.load(words, WORD.loading), 0);
    await check(pool);
    while (Atomics.load(words, WORD.loading) < WORKERS) await setTimeout(5);
  });

  it('sends no task to a replacement thread before it has loaded', async (t) => {
    const { pool, words } = open(t);
    await Promise.all(Array.from({ length: 10 }, () => check(pool)));
    const { cancellation, end } = hang(pool);
    await setTimeout(50);
    cancellation.cancel();
    await end;
    while (Atomics.load(words, WORD.loading) <= WORKERS) await setTimeout(5);
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: 3 }, () => check(pool)));
    }
    assert.equal(Atomics.load(words, WORD.mayLoad), WORKERS, 'the replacement has not loaded yet');
  });

  it('starts a thread for a waiting task after all threads were terminated', async (t) => {
    const { pool, words } = open(t);
    Atomics.store(words, WORD.mayLoad, WORKERS + 10);
    const hanging = Array.from({ length: WORKERS }, () => hang(pool));
    await setTimeout(100);
    const waiting = check(pool);
    for (const { cancellation, end } of hanging) {
      cancellation.cancel();
      await end;
    }
    assert.deepEqual(await waiting, NOTHING);
  });
});
