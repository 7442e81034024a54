import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outdatedNode } from '../../src/config/outdated-node.js';

test('a newer Node is advised only on a version past its end of life', () => {
  for (const version of ['v20.15.0', 'v20.20.2', '20.20.2']) {
    assert.match(outdatedNode(version) ?? '', /^Node 20 gets no security fixes any more; Node 24 does/);
  }
  for (const version of ['v22.0.0', 'v22.18.0', 'v24.1.0', 'v26.3.1', 'v100.0.0']) {
    assert.equal(outdatedNode(version), undefined);
  }
});
