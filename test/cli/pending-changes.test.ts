import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesText } from '../../src/cli/validators/validator.js';
import type { PendingValidatorChange } from '../../src/generated/node-rpc-v1.js';

const REMOVAL: PendingValidatorChange = {
  change: { type: 'remove', value: new Uint8Array(20).fill(0x5f) },
  address: new Uint8Array(20).fill(0x5f),
  approvals: [{ index: 2, address: new Uint8Array(20).fill(0xa0) }],
  approvals_needed: 3,
  included: false,
  effective_height: 10_001n,
};

test('a pending change lists its approvers and the height at which it takes effect', () => {
  assert.equal(
    changesText([REMOVAL]),
    [
      `remove 0x${'5f'.repeat(20)}`,
      '  in no block yet; takes effect at height 10,001 at the earliest',
      '  approved by 1, 3 needed',
      `    2 0x${'a0'.repeat(20)}`,
      '',
    ].join('\n'),
  );
  assert.equal(changesText([]), 'no pending changes\n');
});

test('the endpoint in a change can neither control the terminal nor forge lines', () => {
  const keys = { identity_key: new Uint8Array(32), encryption_key: new Uint8Array(48) };
  const endpoint = 'a:1\n\u001b[2Jno pending changes';
  const text = changesText([{ ...REMOVAL, change: { type: 'add', value: { ...keys, endpoint } } }]);
  assert.ok(text.includes('@a:1\\u000a\\u001b[2Jno pending changes\n'), text);
});
