import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { BOB } from '../../support/actions.js';
import { PROBE } from '../../support/contracts/assembled-contracts.js';
import { ContractNode } from '../../support/nodes/contract-node.js';

describe('with a time limit for calls', () => {
  // Far longer than any other call takes, even as the first on a new worker of a busy machine.
  const limit = 2_500;
  let world: ContractNode;

  before(async () => {
    world = await ContractNode.start({
      workers: '1',
      'max-call-gas': '1000000000000',
      'max-call-ms': String(limit),
    });
  });
  after(() => world?.stop());

  test('a call that runs too long is terminated with its worker, and all others are answered', async () => {
    const loop = { contract: world.probe, input: PROBE.loop };
    const balance = { contract: world.token, method: 'balance_of', args: [BOB] };
    const [, ...others] = await Promise.all([
      world.refusal('view_call', loop).then((failure) => {
        assert.equal(failure.data.kind, 'timeout', failure.message);
        assert.equal(failure.data['limit_ms'], limit);
      }),
      ...Array.from({ length: 40 }, () => world.view(balance)),
    ]);
    for (const answer of others) assert.equal(answer?.decoded, '0');
    await world.seal([world.pay(3)]);
    assert.equal(await world.bobs(), '3');
  });

  test('many expensive calls at once do not count against each other', async () => {
    const call = (gas: number) => world.view({ contract: world.probe, input: PROBE.loop, gas_limit: gas });
    // The first call makes the new worker compile the contract.
    await call(1_000_000);
    const gas = 50_000_000;
    let oneMs = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 3; round++) {
      const before = performance.now();
      await call(gas);
      oneMs = Math.min(oneMs, performance.now() - before);
    }
    // Together the calls take half as long again as the time limit; each alone takes a small part of it.
    const count = Math.min(500, Math.max(8, Math.ceil((1.5 * limit) / oneMs)));
    for (const { status, gas_used } of await Promise.all(Array.from({ length: count }, () => call(gas))))
      assert.deepEqual([status.type, gas_used], ['out_of_gas', gas]);
  });
});
