import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { test } from 'node:test';
import { encodeBatch, encodeRead } from '../../../src/execution/calls/call-batch.js';
import { serveTasks } from '../../../src/execution/worker/serve-tasks.js';
import { storeOf } from '../../support/worlds/event-chain.js';

const HEAD = { task: 0, tipHeight: 0, finalizedHeight: 0, nowMs: 0 };
const READ = encodeRead({ kind: 'receipt', place: { height: 0n, index: 0 }, finalizedHeight: 0n });

test('a worker that could not open the store reads it once it can', async (t) => {
  const { handle } = await storeOf(t, [[[]]]);
  assert.ok(handle.kind === 'memory');
  const run = await serveTasks({
    native: 'off',
    store: handle,
    reads: { progress: new SharedArrayBuffer(64) },
  });
  const read = () => run({ kind: 'calls', input: encodeBatch(HEAD, [READ]) });
  renameSync(handle.path, `${handle.path}.away`);
  assert.equal((await read()).ok, false);
  renameSync(`${handle.path}.away`, handle.path);
  assert.equal((await read()).ok, true);
});
