import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NATIVE_MODES } from '../support/native-modes.js';
import { ContractNode } from '../support/nodes/contract-node.js';
import { expectNoTrace, floodSimulations, loop, pay } from '../support/nodes/simulated-calls.js';

describe('simulations', () => {
  test('change nothing, whatever they do, and show admins the built transaction', (t) =>
    expectNoTrace(t, NATIVE_MODES[0] ?? 'off'));

  test('that run too long time out, and the others are answered', async (t) => {
    const world = await ContractNode.for(t, {
      workers: '1',
      'max-call-gas': '1000000000000',
      // Enough for a worker's first call, which loads the engine, on a busy machine.
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

  test('are shed when expensive ones flood in, while status is answered and blocks are sealed', (t) =>
    floodSimulations(t, 1_000));
});
