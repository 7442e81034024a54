import assert from 'node:assert/strict';
import { parentPort, workerData } from 'node:worker_threads';
import { openReader } from '../../src/storage/open-store.js';
import type { StoreHandle } from '../../src/storage/store.js';
import { bytes, contents, text } from './stores.js';

/** Input of the reading worker. */
export interface ReadingTask {
  readonly handle: StoreHandle;
  /** One 32-bit word: the number of the last acknowledged batch. */
  readonly acknowledged: SharedArrayBuffer;
  readonly batches: number;
  readonly keysABatch: number;
}

/*
 * Reads as fast as it can while the main thread writes batches 1, 2, …: batch i sets `last` to i in `meta`, and all
 * keys of `state` to i. A read must see every batch acknowledged before it began, and a scan sees no batch in part.
 */
const task: ReadingTask = workerData;
const acknowledged = new Int32Array(task.acknowledged);
const reader = openReader(task.handle);
let reads = 0;
for (let seen = 0; seen < task.batches; reads++) {
  seen = Atomics.load(acknowledged, 0);
  if (seen === 0) continue;
  const last = Number(text(reader.get('meta', bytes('last'))));
  assert.ok(last >= seen, `batch ${seen} was acknowledged, read ${last}`);
  // This loop never yields to the event loop, so state cached between short scans must notice the writes by itself.
  const [scanned] = contents(reader, 'meta', { gte: bytes('last'), limit: 1 });
  assert.ok(Number(scanned?.[1]) >= last, `read ${last}, then scanned ${scanned?.[1]}`);
  const state = contents(reader, 'state');
  assert.equal(state.length, task.keysABatch);
  const values = new Set(state.map(([, value]) => value));
  assert.equal(values.size, 1, `a scan saw parts of batches ${[...values].join(', ')}`);
  assert.ok(Number([...values][0]) >= last);
}
await reader.close();
assert.throws(() => reader.get('meta', bytes('last')), { code: 'closed' });
parentPort?.postMessage(reads);
