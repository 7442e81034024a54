// Requests beyond the size limits are refused before they are processed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AttackedNode } from '../support/attacked-node.js';

let attacked: AttackedNode;
before(async () => {
  attacked = await AttackedNode.start(['--block-time', '50']);
});
after(() => attacked.dispose());

test('bodies over 4 MiB are refused and the node stays up, before and after a restart', async () => {
  const { status } = await attacked.rpc.post(`[${' '.repeat(4 * 1024 * 1024)}]`);
  assert.equal(status, 413);
  await attacked.assertSound({ peakMiB: 512 });
  await attacked.restart();
  await attacked.assertSound({ peakMiB: 512 });
});
