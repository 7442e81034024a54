import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExecStatus, Receipt } from '../../src/generated/node-rpc-v1.js';
import { sampledOutcomes } from '../../src/load/sampled-outcomes.js';

const included = (status: ExecStatus) =>
  ({ status: 'fulfilled', value: { receipt: { status } as Receipt } }) as const;
const reverted = (error?: unknown) =>
  included({
    type: 'reverted',
    value: { data: new Uint8Array(4), ...(error !== undefined && { error }) },
  } as ExecStatus);

test('reverted transactions are counted by the error that the contract declares', () => {
  const balance = reverted({ name: 'InsufficientBalance', args: { available: '1', required: '2' } });
  assert.deepEqual(
    sampledOutcomes([
      ...[included({ type: 'success' }), balance, balance, reverted({ name: 'Frozen', args: {} })],
      ...[reverted(), included({ type: 'invalid', value: 'no contract' })],
      { status: 'fulfilled', value: {} },
      { status: 'rejected', reason: new Error('gone') },
    ]),
    {
      outcomes: { reverted: 4, success: 1, invalid: 1, 'not in a block': 1, 'not answered': 1 },
      errors: { InsufficientBalance: 2, Frozen: 1, unnamed: 1 },
    },
  );
});

test('hostile names of errors count as unnamed, and there are never many', () => {
  const hostile = ['</script>', '\u202egnp.exe', '__proto__', 'x'.repeat(65), ''];
  assert.deepEqual(sampledOutcomes(hostile.map((name) => reverted({ name, args: {} }))).errors, {
    unnamed: 5,
  });
  const many = Array.from({ length: 500 }, (_, place) => reverted({ name: `E${place}`, args: {} }));
  const { errors } = sampledOutcomes(many);
  assert.equal(Object.keys(errors).length, 65);
  assert.equal(errors['other'], 436);
});
