// A thousand blocks are sealed first: no node prunes state sooner.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RpcFailure } from '../../outside/rpc.js';
import { ContractNode } from '../../support/nodes/contract-node.js';
import { tracers } from './trace-answers.js';

test('a trace at a pruned height is refused, and the error names the kept heights', async (t) => {
  const world = await ContractNode.for(t, { workers: '1', 'state-retention': '1000' });
  const [hash] = await world.seal([world.pay(1)]);
  for (let block = 0; block < 1_100; block++) await world.node.sealNow(1_900_000_000_000 + block);
  const end = Date.now() + 5_000;
  for (;;) {
    const answer = await world.rpc
      .call('chain_traceTransaction', { tx_hash: hash ?? '', tracers: tracers('call_tree') })
      .then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof RpcFailure) return error;
          throw error;
        },
      );
    if (answer !== undefined) {
      assert.equal(answer.data.kind, 'state_unavailable');
      assert.ok(Number(answer.data['oldest']) > 1);
      assert.equal(answer.data['newest'], 1_102);
      break;
    }
    assert.ok(Date.now() < end, 'the state was never pruned');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});
