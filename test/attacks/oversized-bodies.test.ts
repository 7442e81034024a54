// Whatever lies beyond the bounds of a request is refused before anything is done with it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AttackedNode } from '../support/attacked-node.js';

let attacked: AttackedNode;
before(async () => {
  attacked = await AttackedNode.start(['--block-time', '50']);
});
after(() => attacked.dispose());

test('bodies over 4 MiB are refused, and the node goes on, before and after a restart', async () => {
  const { status } = await attacked.rpc.post(`[${' '.repeat(4 * 1024 * 1024)}]`);
  assert.equal(status, 413);
  await attacked.assertSound({ peakMiB: 512 });
  await attacked.restart();
  await attacked.assertSound({ peakMiB: 512 });
});
