import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RpcFailure } from '../outside/rpc.js';
import { text } from '../support/hex.js';
import { NATIVE_MODES } from '../support/native-modes.js';
import { ContractNode } from '../support/nodes/contract-node.js';
import { expectNoTrace, floodSimulations, pay } from '../support/nodes/simulated-calls.js';

describe('simulations', () => {
  for (const native of NATIVE_MODES.slice(1)) {
    test(`change nothing, whatever they do, and show admins the built transaction, --native ${native}`, (t) =>
      expectNoTrace(t, native));
  }

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

  test('are shed when expensive ones flood in, while status is answered and blocks are sealed', (t) =>
    floodSimulations(t, 3_000));
});
