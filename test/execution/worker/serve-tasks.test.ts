import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { test } from 'node:test';
import type { CallGroup } from '../../../src/execution/calls/worker-call.js';
import { serveTasks } from '../../../src/execution/worker/serve-tasks.js';
import { storeOf } from '../../support/worlds/event-chain.js';

const GROUP: CallGroup = {
  calls: [
    { kind: 'read', request: { kind: 'receipt', place: { height: 0n, index: 0 }, finalizedHeight: 0n } },
  ],
  head: { tipHeight: 0, finalizedHeight: 0, nowMs: 0 },
  slot: 0,
};

test('a worker that could not open the store reads it once it can', async (t) => {
  const { handle } = await storeOf(t, [[[]]]);
  assert.ok(handle.kind === 'memory');
  const run = await serveTasks({
    native: 'off',
    store: handle,
    reads: { progress: new SharedArrayBuffer(64) },
  });
  const read = () => run({ kind: 'calls', input: GROUP });
  renameSync(handle.path, `${handle.path}.away`);
  assert.equal((await read()).ok, false);
  renameSync(`${handle.path}.away`, handle.path);
  assert.equal((await read()).ok, true);
});
