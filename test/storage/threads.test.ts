import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { MemoryStore } from '../../native-free/store/memory-store.js';
import type { Store } from '../../src/storage/store.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import { sweep } from '../support/sweep.js';
import type { ReadingTask } from './reading-worker.js';
import { batchOf, bytes, contents, IMPLEMENTATIONS, TestDirectory, temporaryStore, text } from './stores.js';

const BATCHES = 300;
/** Of the tests that need no compaction. */
const FEW_BATCHES = Math.min(sweep(60), BATCHES);
const KEYS_A_BATCH = 200;

/** Writes while two workers read; fails if one of them reads something wrong. */
async function writeWhileWorkersRead(store: Store, batches: number): Promise<void> {
  const acknowledged = new Int32Array(new SharedArrayBuffer(4));
  const task: ReadingTask = {
    handle: store.handle,
    acknowledged: acknowledged.buffer,
    batches,
    keysABatch: KEYS_A_BATCH,
  };
  const workers = [1, 2].map(
    () => new Worker(new URL('./reading-worker.js', import.meta.url), { workerData: task }),
  );
  const finished = Promise.all(
    workers.map(async (worker) => {
      const exit = new Promise((resolve) => worker.once('exit', resolve));
      const [reads] = await once(worker, 'message');
      await exit;
      return Number(reads);
    }),
  );
  for (let i = 1; i <= batches; i++) {
    const batch = new WriteBatch();
    batch.put('meta', bytes('last'), bytes(`${i}`));
    for (let k = 0; k < KEYS_A_BATCH; k++) batch.put('state', bytes(`key ${k}`), bytes(`${i}`));
    await store.write(batch, { sync: i % 20 === 0 });
    Atomics.store(acknowledged, 0, i);
  }
  for (const reads of await finished) assert.ok(reads > 0);
}

for (const { name, native } of IMPLEMENTATIONS) {
  describe(`readers of the ${name} store in other threads`, () => {
    it('see every acknowledged batch, and none in part', async (t) => {
      const store = await temporaryStore(t, native);
      await writeWhileWorkersRead(store, FEW_BATCHES);
      assert.equal(text(store.get('meta', bytes('last'))), `${FEW_BATCHES}`);
    });

    it('end without closing the database for others', async (t) => {
      const store = await temporaryStore(t, native);
      await store.write(batchOf('meta', { a: '1' }), { sync: false });
      const worker = new Worker(
        `const { workerData } = require('node:worker_threads');
         import(workerData.module).then(({ openReader }) => {
           const reader = openReader(workerData.handle);
           for (const _ of reader.scan('meta', {})) break;
           const abandoned = reader.scan('meta', {});
           abandoned.next();
           process.exit(0);
         });`,
        {
          eval: true,
          workerData: {
            handle: store.handle,
            module: new URL('../../src/storage/open-store.js', import.meta.url).href,
          },
        },
      );
      await once(worker, 'exit');
      await store.write(batchOf('meta', { b: '2' }), { sync: true });
      assert.deepEqual(contents(store, 'meta').length, 2);
    });
  });
}

describe('readers of the memory store', () => {
  it('follow it from file to file while it compacts', async (t) => {
    const directory = await TestDirectory.make(t);
    const uncompacted = BATCHES * KEYS_A_BATCH * 20;
    const compactAboveBytes = 100_000;
    const store = await MemoryStore.open({ directory: directory.path, compactAboveBytes });
    await writeWhileWorkersRead(store, BATCHES);
    const size = await store.sizeBytes();
    assert.ok(size < uncompacted / 2, `compaction left ${size} bytes`);
    await store.close();
    const reopened = await directory.open('off');
    assert.equal(text(reopened.get('meta', bytes('last'))), `${BATCHES}`);
    assert.deepEqual([...new Set(contents(reopened, 'state').map(([, value]) => value))], [`${BATCHES}`]);
  });
});
