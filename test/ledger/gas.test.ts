import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Action } from '../../src/generated/ledger.js';
import { GAS, intrinsicGas } from '../../src/ledger/gas.js';

const bytes = (count: number) => new Uint8Array(count);
const call = (input: number) => ({ contract: bytes(20), input: bytes(input), value: 0n });

test('a transfer uses the base and nothing for its size', () => {
  const action: Action = { type: 'transfer', value: { to: bytes(20), amount: 1n } };
  assert.equal(intrinsicGas({ action }), GAS.tx_base);
});

test('every byte of code, interface text and input is paid for, text by its UTF-8 bytes', () => {
  const deploy: Action = {
    type: 'deploy',
    value: {
      vm: { type: 'wasm' },
      code: bytes(1_000),
      idl: 'ü€',
      abi_version: 1,
      upgrade_policy: { type: 'immutable' },
      input: bytes(7),
      value: 0n,
    },
  };
  assert.equal(intrinsicGas({ action: deploy }), 10_000n + 16n * (1_000n + 5n + 7n));
  const upgrade: Action = {
    type: 'upgrade',
    value: { contract: bytes(20), code: bytes(10), abi_version: 1, input: bytes(3) },
  };
  assert.equal(intrinsicGas({ action: upgrade }), 10_000n + 16n * 13n);
});

test('a batch pays for the inputs of all its calls', () => {
  assert.equal(intrinsicGas({ action: { type: 'call', value: call(4) } }), 10_064n);
  assert.equal(intrinsicGas({ action: { type: 'batch', value: [call(4), call(0), call(6)] } }), 10_160n);
});
