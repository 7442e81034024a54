import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { RpcClient, RpcFailure } from '../../outside/rpc.js';
import { ALICE, BOB } from '../actions.js';
import { PROBE } from '../contracts/assembled-contracts.js';
import { text } from '../hex.js';
import { removeDirectory, temporaryDirectory } from '../temporary-directory.js';
import { ContractNode } from './contract-node.js';

/** Alice pays bob tokens. */
export const pay = (world: ContractNode, amount: string) => ({
  sender: ALICE,
  action: { type: 'call', value: { contract: world.token, method: 'transfer', args: { to: BOB, amount } } },
});

/** A call that uses all its gas. */
export const loop = (world: ContractNode, gasLimit: number) => ({
  build: {
    sender: ALICE,
    gas_limit: gasLimit,
    action: { type: 'call', value: { contract: world.probe, input: PROBE.loop } },
  },
});

/** With this many answers, the 99th percentile leaves out the slowest two. A stall of the machine delays only one. */
const MIN_LATENCIES = 250;
const MAX_FLOOD_MS = 60_000;

/**
 * Floods a node with expensive simulations, and asserts that it sheds them, answers others, and goes on sealing.
 * @param forMs least duration of the flood
 */
export async function floodSimulations(t: TestContext, forMs: number): Promise<void> {
  const world = await ContractNode.for(t, { workers: '1' }, { maxCallWaitMs: 400 });
  // Each call takes a few tenths of a second, so most of twenty would time out waiting.
  const expensive = { steps: [{ type: 'tx', value: loop(world, 400_000_000) }] };
  const clients = Array.from({ length: 20 }, () => new RpcClient(world.node.url));
  t.after(() => {
    for (const client of clients) client.close();
  });
  const begun = performance.now();
  let isOver = false;
  let shed = 0;
  const flood = clients.map(async (client) => {
    while (!isOver) {
      try {
        await client.call('tx_simulate_pipeline', expensive);
      } catch (error) {
        if (!(error instanceof RpcFailure)) throw error;
        assert.equal(error.data.kind, 'overloaded', error.message);
        assert.ok(typeof error.data['retry_after_ms'] === 'number');
        shed++;
        // Retries almost at once, as the worst clients do.
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
  });
  const latencies: number[] = [];
  let sealed = 0;
  try {
    for (let ms = 0; ms < forMs || (latencies.length < MIN_LATENCIES && ms < MAX_FLOOD_MS); ) {
      const started = performance.now();
      await world.client.status();
      latencies.push(performance.now() - started);
      if (latencies.length % 20 === 0) {
        await world.node.sealNow(0);
        sealed++;
      }
      await new Promise((resolve) => setTimeout(resolve, 3));
      ms = performance.now() - begun;
    }
  } finally {
    isOver = true;
  }
  await Promise.all(flood);
  latencies.sort((a, b) => a - b);
  const p99 = latencies[Math.floor(latencies.length * 0.99)] ?? Number.POSITIVE_INFINITY;
  // The benchmark checks the strict limit of 50 ms: here the machine is busy with the whole suite.
  assert.ok(p99 < 500, `p99 of status is ${p99} ms`);
  assert.ok(sealed > 0, `${latencies.length} answers of status`);
  assert.ok(shed > 0, 'nothing was shed');
}

/** Asserts that simulations of every kind change nothing, and that admins see a transaction that the node builds. */
export async function expectNoTrace(t: TestContext, native: string): Promise<void> {
  const { world, admin } = await withAdmin(t, { native, workers: '1' });
  const [paid] = await world.seal([world.pay(10)]);
  const look = await world.look();
  const build = pay(world, '7');
  const encoded = text(await world.signed(world.pay(3)));
  const overrides = [
    { address: BOB, balance: '5' },
    { address: world.token, slots: [{ slot: '01'.repeat(32), value: '0x01' }] },
  ];
  const block_override = { height: 90, timestamp_ms: 1, base_fee: '3' };
  const view = { contract: world.token, method: 'transfer', args: [BOB, '1'], caller: ALICE };
  for (const at of [undefined, { type: 'height', value: 1 }, { type: 'after_tx', value: paid }]) {
    const where = { ...(at === undefined ? {} : { at }), overrides };
    for (const call of [
      () => world.rpc.call('tx_simulate', { build, ...where, block_override }),
      () => world.rpc.call('tx_simulate', { encoded, ...where }),
      () => world.rpc.call('tx_simulate_access', { build, ...where, block_override }),
      () =>
        world.rpc.call('tx_simulate_pipeline', {
          steps: [
            { type: 'tx', value: { build, overrides } },
            { type: 'view', value: { ...view, block_override } },
          ],
          ...where,
        }),
      () => world.rpc.call('chain_simulateBundle', { transactions: [encoded], ...where }),
      () => admin.call('tx_build_simulate', build),
    ]) {
      await call();
      assert.deepEqual(await world.look(), look);
    }
  }
  await world.node.sealNow(0);
  const after = (await world.look()) as { readonly root: string };
  assert.equal(after.root, (look as { readonly root: string }).root);
  assert.equal(await world.bobs(), '10');
  await expectBuiltSimulation(world, admin);
}

/** Asserts that tx_build_simulate gives admins the transaction and its simulated result. */
async function expectBuiltSimulation(world: ContractNode, admin: RpcClient): Promise<void> {
  const args = pay(world, '7');
  const { build, simulation } = (await admin.call('tx_build_simulate', args)) as {
    readonly build: { readonly encoded: string; readonly tx_hash: string };
    readonly simulation: {
      readonly status: { readonly type: string };
      readonly logs: { readonly tx_hash: string }[];
    };
  };
  assert.deepEqual(build, await admin.call('tx_build', args));
  assert.deepEqual(simulation, await admin.call('tx_simulate', { encoded: build.encoded }));
  assert.equal(simulation.status.type, 'success');
  assert.equal(simulation.logs[0]?.tx_hash, build.tx_hash);
  await assert.rejects(
    admin.call('tx_build_simulate', pay(world, 'x')),
    (error) => error instanceof RpcFailure && error.data.kind === 'invalid_params',
  );
}

/** A world for one test, and an admin client of it. */
async function withAdmin(t: TestContext, flags: Readonly<Record<string, string>>) {
  const directory = temporaryDirectory();
  const data = join(directory, 'data');
  const world = await ContractNode.start({ ...flags, 'data-dir': data });
  const admin = new RpcClient(world.node.url, readFileSync(join(data, 'admin.token'), 'utf8').trim());
  t.after(async () => {
    admin.close();
    await world.stop();
    removeDirectory(directory);
  });
  return { world, admin };
}
