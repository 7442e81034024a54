// Front threads report a blocked main thread.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connect } from '../../src/client/client.js';
import { eventually } from '../support/eventually.js';
import { NodeProcess } from '../support/nodes/node-process.js';

const BLOCKABLE = fileURLToPath(new URL('../support/nodes/blockable-main-thread.js', import.meta.url));

test('health and readiness report a blocked main thread, and recover', async () => {
  const node = await NodeProcess.start({ env: { NODE_OPTIONS: `--import ${BLOCKABLE}` } });
  try {
    const client = connect(node.url, { timeoutMs: 30_000, retry: { retries: 0 } });
    await eventually('it is ready', async () => (await client.readiness()).ready);
    await eventually('it is healthy', async () => (await client.health()).status.type === 'ok');
    node.signal('SIGUSR2');
    await sleep(200);
    // These calls are sent before the front threads notice that the main thread is blocked, and answered afterwards.
    const [health, readiness] = await Promise.all([client.health(), client.readiness()]);
    assert.match(
      health.status.type === 'degraded' ? health.status.value : 'ok',
      /the main thread has been silent for \d+ ms/,
    );
    assert.ok(health.event_loop_lag_ms >= 2_000);
    assert.equal(readiness.ready, false);
    assert.deepEqual(readiness.sync.state, { type: 'stalled' });
    assert.equal((await fetch(`${node.url}/health`)).status, 503);
    assert.equal((await fetch(`${node.url}/ready`)).status, 503);
    await eventually('it is ready again', async () => (await client.readiness()).ready);
    await eventually('it is healthy again', async () => (await client.health()).status.type === 'ok');
  } finally {
    await node.dispose();
  }
});
