import assert from 'node:assert/strict';
import { test } from 'node:test';
import { putCheckpoint } from '../../src/ledger/checkpoint-store.js';
import { setOldestHeight } from '../../src/storage/state.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import { Checkpoints } from '../../src/sync/checkpoints.js';
import { ModelState } from '../proofs/snapshot/snapshot-model.js';
import { NodeParts } from '../support/nodes/node-parts.js';
import { fakeSnapshot } from './fake-snapshot.js';

test('a checkpoint whose state has been dropped is not listed anywhere', async (t) => {
  const store = await NodeParts.for(t).store({ native: 'off' });
  const { checkpoint, header } = fakeSnapshot(new ModelState(), 40n).head.light;
  const batch = new WriteBatch();
  putCheckpoint(batch, checkpoint, []);
  await store.write(batch, { sync: false });
  const checkpoints = new Checkpoints({
    store,
    chain: { tip: { header, hash: checkpoint.block_hash }, onCommit: () => () => undefined },
    blocks: { header: () => undefined },
    interval: 0n,
    kept: 4,
    cut: () => Promise.reject(new Error('nothing is to be cut')),
    onError: (error) => assert.fail(String(error)),
  });
  assert.equal(checkpoints.latest?.height, checkpoint.height);
  const pruned = new WriteBatch();
  setOldestHeight(pruned, checkpoint.height + 1n);
  await store.write(pruned, { sync: false });
  assert.equal(checkpoints.get(checkpoint.height), undefined);
  assert.deepEqual([...checkpoints.before(checkpoint.height + 1n)], []);
  assert.equal(checkpoints.latest, undefined);
  await checkpoints.stop();
});
