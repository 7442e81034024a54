// A node under any flood shuts down promptly on a signal and loses nothing.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { connect } from '../../src/client/client.js';
import { alice, bob } from '../support/actions.js';
import type { FloodTask } from '../support/floods/flood-worker.js';
import { type FloodWorld, prepareWorld } from '../support/floods/flood-world.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../support/node-process.js';

const FLAGS = ['--block-time', '100'];
const WORLD = { blocks: 2, transfersABlock: 20, eventCalls: 2 };
const FLOODED_MS = 1_500;
/**
 * Maximum time of a shutdown, for a machine several times slower than production that runs other tests in parallel.
 */
const MOST_MS = 6_000;

const ENDS = [
  ['burning-views', 'SIGTERM'],
  ['abandoned-calls', 'SIGINT'],
  ['objects-8', 'SIGTERM'],
  ['slow-readers', 'SIGINT'],
  ['huge-traces', 'SIGTERM'],
  ['listed-pool', 'SIGTERM'],
] as const;

for (const [name, signal] of ENDS) {
  test(`${signal} under the flood ${name}`, async (t) => {
    const dataDir = temporaryDirectory();
    t.after(() => removeDirectory(dataDir));
    const node = await NodeProcess.start({ dataDir, flags: FLAGS });
    t.after(() => node.dispose());
    const world = await prepareWorld(node.url, WORLD);
    const worker = await flood(node.url, world, name);
    t.after(() => worker.terminate());
    const sender = connect(node.url).sender(alice);
    const included: Uint8Array[] = [];
    const end = performance.now() + FLOODED_MS;
    while (performance.now() < end) {
      const { hash } = await sender.send(
        { type: 'transfer', value: { to: bob.address, amount: 1n } },
        { wait: 'included' },
      );
      included.push(hash);
      await pause(50);
    }
    const asked = performance.now();
    const ended = await node.stop(signal);
    const ms = performance.now() - asked;
    await worker.terminate();
    t.diagnostic(`ended after ${Math.round(ms)} ms, ${included.length} transfers seen included`);
    assert.equal(ended.signal, signal, node.log.slice(-2_000));
    assert.match(node.log, /"msg":"stopped"/);
    assert.doesNotMatch(node.log, /open handles|Assertion/);
    assert.ok(ms < MOST_MS, `ended after ${Math.round(ms)} ms`);

    const again = await NodeProcess.start({ dataDir, flags: FLAGS });
    t.after(() => again.dispose());
    const client = connect(again.url);
    for (const hash of included) {
      const { status } = await client.tx_by_hash({ tx_hash: hash });
      assert.equal(status.type, 'included');
    }
    await again.stop();
  });
}

/** Starts a flood in a worker thread. */
async function flood(url: string, world: FloodWorld, name: string): Promise<Worker> {
  const worker = new Worker(new URL('../support/floods/flood-worker.js', import.meta.url), {
    workerData: { url, world, name, seconds: 60 } satisfies FloodTask,
  });
  // The node ends in the middle of the flood.
  worker.on('error', () => undefined);
  await once(worker, 'message');
  worker.postMessage('go');
  return worker;
}
