// Known keys of envelopes that the workers fail to open.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ExecutionError } from '../../src/execution/execution-error.js';
import { ExecutionPool } from '../../src/execution/pool/execution-pool.js';
import { Sealing } from '../support/crypto/sealing.js';
import { verified } from '../support/worlds/block-transfer.js';
import { ChainWorld } from '../support/worlds/chain-world.js';

/** A chain with a due envelope at each of two heights, and a transfer that waits behind them. */
async function dueWorld(t: TestContext) {
  const world = await ChainWorld.open();
  t.after(() => world.remove());
  const sealing = await Sealing.of(world);
  world.submit(sealing.envelope({ from: 1, opensAt: 3n }), sealing.envelope({ from: 2, opensAt: 4n }));
  while (world.chain.tip.header.height < 4n) await world.blockChain.commit((await world.propose()).hash);
  world.submit(world.transaction({ from: 5 }));
  const keyOf = (height: bigint) => sealing.key(height);
  return { world, keyOf };
}

/** Makes workers fail to open a height. @returns a function that ends the failure */
function failingAt(t: TestContext, { executor }: ChainWorld, failing: bigint): () => void {
  const { openings } = executor;
  const execute = openings.execute.bind(openings);
  const mocked = t.mock.method(openings, 'execute', (...[base, keys]: Parameters<typeof execute>) =>
    keys.some(({ height }) => height === failing)
      ? Promise.reject(new ExecutionError('worker_died', 'two workers died in a execute_openings task'))
      : execute(base, keys),
  );
  return () => mocked.mock.restore();
}

test('a proposal begins with the keys of the envelopes that can be executed and holds nothing else', async (t) => {
  const { world, keyOf } = await dueWorld(t);
  for (const [failing, count] of [
    [4n, 1],
    [3n, 0],
  ] as const) {
    const restore = failingAt(t, world, failing);
    const block = await world.propose({ keyOf, view: 100n + failing });
    restore();
    assert.deepEqual([block.keys.length, block.openings.length, block.items.length], [count, count, count]);
    // The block is valid for nodes that can execute it.
    const { hash } = block;
    world.pending.drop(block);
    assert.deepEqual((await verified(world, block)).hash, hash);
  }
});

test('a failed envelope is opened once it can be, and waiting transactions follow', async (t) => {
  const { world, keyOf } = await dueWorld(t);
  const restore = failingAt(t, world, 3n);
  await world.blockChain.commit((await world.propose({ keyOf })).hash);
  restore();
  const block = await world.propose({ keyOf });
  assert.deepEqual([block.keys.length, block.transactions.length], [2, 1]);
});

test('a stopping node proposes no block', async (t) => {
  const { world, keyOf } = await dueWorld(t);
  const { openings } = world.executor;
  t.mock.method(openings, 'execute', () => Promise.reject(new ExecutionError('stopped', 'stopping')));
  await assert.rejects(world.propose({ keyOf }), { code: 'stopped' });
  t.mock.restoreAll();
});

test('an envelope that kills workers is paused for every caller, and reported until it is open', async (t) => {
  const { world, keyOf } = await dueWorld(t);
  const { openings } = world.executor;
  const run = ExecutionPool.prototype.run;
  let tries = 0;
  const dying = t.mock.method(
    ExecutionPool.prototype,
    'run',
    function (this: ExecutionPool, ...task: Parameters<typeof run>) {
      const [kind, input] = task;
      if (kind !== 'execute_openings') return run.apply(this, task);
      tries++;
      assert.ok(input !== undefined && 'progress' in input && input.progress !== undefined);
      Atomics.store(input.progress, 0, 1);
      return Promise.reject(
        new ExecutionError('worker_died', 'a worker died', { cause: new Error('out of memory') }),
      );
    },
  );
  for (const view of [101n, 102n]) {
    const block = await world.propose({ keyOf, view });
    assert.equal(block.items.length, 0);
    world.pending.drop(block);
  }
  assert.equal(tries, 1);
  const [fault, ...others] = openings.failing;
  assert.deepEqual([fault?.height, fault?.failures, others], [3n, 1, []]);
  assert.match(fault?.message ?? '', /worker died: out of memory/);
  assert.match(fault?.hashHex ?? '', /^[0-9a-f]{64}$/);
  dying.mock.restore();

  const { now } = performance;
  t.mock.method(performance, 'now', () => now.call(performance) + 60_000);
  const block = await world.propose({ keyOf });
  assert.equal(block.openings.length, 2);
  assert.deepEqual(openings.failing, []);
});
