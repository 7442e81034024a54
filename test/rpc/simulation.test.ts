import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { RpcClient, RpcFailure } from '../outside/rpc.js';
import { ALICE, BOB } from '../support/actions.js';
import { PROBE } from '../support/assembled-contracts.js';
import { ContractNode } from '../support/contract-node.js';
import { text } from '../support/hex.js';
import { NATIVE_MODES } from '../support/native-modes.js';
import { removeDirectory, temporaryDirectory } from '../support/node-process.js';

const pay = (world: ContractNode, amount: string) => ({
  sender: ALICE,
  action: { type: 'call', value: { contract: world.token, method: 'transfer', args: { to: BOB, amount } } },
});
const loop = (world: ContractNode, gasLimit: number) => ({
  build: {
    sender: ALICE,
    gas_limit: gasLimit,
    action: { type: 'call', value: { contract: world.probe, input: PROBE.loop } },
  },
});

describe('simulations', () => {
  for (const native of NATIVE_MODES) {
    test(`change nothing, whatever they do, --native ${native}`, async (t) => {
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
    });
  }

  test('tx_build_simulate gives admins the transaction and its simulated result', async (t) => {
    const { world, admin } = await withAdmin(t, { workers: '1' });
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
  });

  test('at pruned heights name the available ones', async (t) => {
    const world = await ContractNode.for(t, { workers: '1', 'state-retention': '1' });
    const [paid] = await world.seal([world.pay(1)]);
    let failure: RpcFailure | undefined;
    // Pruning lags behind the tip and runs at a different pace.
    for (let block = 0; block < 2_000 && failure === undefined; block++) {
      await world.seal([]);
      if (block < 1_000 || block % 16 > 0) continue;
      try {
        await world.rpc.call('tx_simulate', { build: pay(world, '1'), at: { type: 'height', value: 1 } });
      } catch (error) {
        if (!(error instanceof RpcFailure)) throw error;
        failure = error;
      }
    }
    assert.equal(failure?.data.kind, 'state_unavailable');
    const { oldest, newest } = failure.data;
    assert.ok(typeof oldest === 'number' && typeof newest === 'number');
    assert.equal(newest, Number((await world.client.status()).tip.height));
    assert.ok(oldest > 1 && oldest <= newest);
    for (const [method, params] of [
      ['tx_simulate', { build: pay(world, '1') }],
      ['tx_simulate_access', { build: pay(world, '1') }],
      ['tx_simulate_pipeline', { steps: [{ type: 'tx', value: { build: pay(world, '1') } }] }],
      ['chain_simulateBundle', { transactions: [text(await world.signed(world.pay(1)))] }],
    ] as const) {
      for (const at of [
        { type: 'height', value: 1 },
        { type: 'after_tx', value: paid },
      ]) {
        const refused = await world.refusal(method, { ...params, at });
        assert.equal(refused.data.kind, 'state_unavailable', refused.message);
      }
      await world.rpc.call(method, { ...params, at: { type: 'height', value: newest } });
    }
  });

  test('that run too long time out, and the others are answered', async (t) => {
    const world = await ContractNode.for(t, {
      workers: '1',
      'max-call-gas': '1000000000000',
      'max-call-ms': '1500',
    });
    const endless = loop(world, 900_000_000_000);
    for (const [method, params] of [
      ['tx_simulate', endless],
      ['tx_simulate_pipeline', { steps: [{ type: 'tx', value: endless }] }],
    ] as const) {
      const [failure] = await Promise.all([
        world.refusal(method, params),
        ...Array.from({ length: 20 }, () => world.rpc.call('tx_simulate', { build: pay(world, '7') })),
      ]);
      assert.equal(failure.data.kind, 'timeout', failure.message);
      assert.equal(failure.data['limit_ms'], 1_500);
    }
    await world.seal([world.pay(3)]);
    assert.equal(await world.bobs(), '3');
  });

  test('are shed when expensive ones flood in, while status is answered and blocks are sealed', async (t) => {
    const world = await ContractNode.for(t, { workers: '1', 'max-call-wait-ms': '400' });
    // Each call takes a few tenths of a second, so most of twenty would time out waiting.
    const expensive = { steps: [{ type: 'tx', value: loop(world, 400_000_000) }] };
    const clients = Array.from({ length: 20 }, () => new RpcClient(world.node.url));
    t.after(() => {
      for (const client of clients) client.close();
    });
    const end = performance.now() + 3_000;
    let shed = 0;
    const flood = clients.map(async (client) => {
      while (performance.now() < end) {
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
    while (performance.now() < end) {
      const started = performance.now();
      await world.client.status();
      latencies.push(performance.now() - started);
      if (latencies.length % 20 === 0) {
        await world.node.sealNow(0);
        sealed++;
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await Promise.all(flood);
    latencies.sort((a, b) => a - b);
    const p99 = latencies[Math.floor(latencies.length * 0.99)] ?? Number.POSITIVE_INFINITY;
    // The benchmark checks the strict limit of 50 ms: here the machine is busy with the whole suite.
    assert.ok(p99 < 500, `p99 of status is ${p99} ms`);
    assert.ok(sealed > 0, `${latencies.length} answers of status`);
    assert.ok(shed > 0, 'nothing was shed');
  });
});

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
