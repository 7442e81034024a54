import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, devAccount, RpcCallError } from '../../src/client/client.js';
import { NODE_MODE } from '../support/native-modes.js';
import { NodeParts } from '../support/nodes/node-parts.js';

test('a state proof that the node no longer keeps still names the height of the block', async (t) => {
  const node = await NodeParts.for(t).node({
    flags: { native: NODE_MODE, seal: 'instant', 'proof-window': '1' },
  });
  const client = connect(node.url);
  for (let count = 0; count < 4; count++) {
    await client.sender(devAccount(0)).transfer({ to: devAccount(1).address, amount: 1n, wait: 'included' });
  }
  const { blocks } = await client.get_block_summaries({ from_height: 1n, to_height: 1n });
  const hash = blocks[0]?.hash ?? assert.fail('no block 1');
  await assert.rejects(
    client.state_proof({ contract: devAccount(0).address, at: { type: 'hash', value: hash } }),
    (error) => {
      assert.ok(error instanceof RpcCallError);
      assert.equal(error.kind, 'state_unavailable');
      assert.equal(error.data['height'], 1);
      assert.ok(Number(error.data['oldest']) > 1);
      return true;
    },
  );
});
