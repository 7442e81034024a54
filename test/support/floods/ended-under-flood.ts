import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { connect } from '../../../src/client/client.js';
import { alice, bob } from '../actions.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../nodes/node-process.js';
import type { FloodTask } from './flood-worker.js';
import { type FloodWorld, prepareWorld } from './flood-world.js';

const FLAGS = ['--block-time', '100'];
const WORLD = { blocks: 2, transfersABlock: 20, eventCalls: 2 };
/**
 * Maximum time of a shutdown, for a machine several times slower than production that runs other tests in parallel.
 */
const MOST_MS = 6_000;

/** A node that is flooded, stopped and started again on the same chain. */
export class FloodedNode {
  readonly #world: FloodWorld;
  #node: NodeProcess;

  private constructor(node: NodeProcess, world: FloodWorld) {
    this.#node = node;
    this.#world = world;
  }

  static async start(): Promise<FloodedNode> {
    const node = await NodeProcess.start({ dataDir: temporaryDirectory(), flags: FLAGS });
    return new FloodedNode(node, await prepareWorld(node.url, WORLD));
  }

  /** Stops the node in the middle of a flood: it ends promptly, and has after a restart all that it reported included. */
  async endUnder(t: TestContext, name: string, signal: NodeJS.Signals, floodedMs: number): Promise<void> {
    const node = this.#node;
    const worker = await beginFlood(node.url, this.#world, name);
    t.after(() => worker.terminate());
    const sender = connect(node.url).sender(alice);
    const included: Uint8Array[] = [];
    const end = performance.now() + floodedMs;
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
    // Before the checks, so that the next flood has its node.
    this.#node = await NodeProcess.start({ dataDir: node.dataDir, flags: FLAGS });
    t.diagnostic(`ended after ${Math.round(ms)} ms, ${included.length} transfers seen included`);
    assert.equal(ended.signal, signal, node.log.slice(-2_000));
    assert.match(node.log, /"msg":"stopped"/);
    assert.doesNotMatch(node.log, /open handles|Assertion/);
    assert.ok(ms < MOST_MS, `ended after ${Math.round(ms)} ms`);

    const client = connect(this.#node.url);
    for (const hash of included) {
      const { status } = await client.tx_by_hash({ tx_hash: hash });
      assert.equal(status.type, 'included');
    }
  }

  async dispose(): Promise<void> {
    await this.#node.kill();
    removeDirectory(this.#node.dataDir);
  }
}

/** Starts a flood in a worker thread. */
async function beginFlood(url: string, world: FloodWorld, name: string): Promise<Worker> {
  const worker = new Worker(new URL('./flood-worker.js', import.meta.url), {
    workerData: { url, world, name, seconds: 60 } satisfies FloodTask,
  });
  // The node ends in the middle of the flood.
  worker.on('error', () => undefined);
  await once(worker, 'message');
  worker.postMessage('go');
  return worker;
}
