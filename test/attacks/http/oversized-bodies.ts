// Requests beyond the size limits are refused before they are processed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';

export function oversizedBodies(attacked: AttackedNode): void {
  test('are refused and the node stays up', async () => {
    const { status } = await attacked.rpc.post(`[${' '.repeat(4 * 1024 * 1024)}]`);
    assert.equal(status, 413);
    await attacked.assertSound({ peakMiB: 512 });
  });
}
