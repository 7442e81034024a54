import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Action, ledgerManifest, type SignedTransaction } from '../../src/generated/ledger.js';
import { ledger } from '../../src/ledger/codecs.js';
import { GAS, intrinsicGas } from '../../src/ledger/gas.js';
import { arbitraryOf } from '../support/arbitraries.js';

const bytes = (count: number) => new Uint8Array(count);
const call = (input: number) => ({ contract: bytes(20), input: bytes(input), value: 0n });

test('a transfer uses the base gas and nothing for its size', () => {
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
  assert.equal(intrinsicGas({ action: deploy }), 30_000n + 16n * (1_000n + 5n + 7n));
  const upgrade: Action = {
    type: 'upgrade',
    value: { contract: bytes(20), code: bytes(10), abi_version: 1, input: bytes(3) },
  };
  assert.equal(intrinsicGas({ action: upgrade }), 30_000n + 16n * 13n);
});

test('a call pays for its input, a batch for every byte of its entries', () => {
  assert.equal(intrinsicGas({ action: { type: 'call', value: call(4) } }), 30_064n);
  const batch: Action = { type: 'batch', value: [call(4), call(0), call(6)] };
  assert.equal(intrinsicGas({ action: batch }), 30_000n + 16n * (3n * 40n + 10n));
});

test('the part of a transaction without a per-byte charge is bounded, whatever the action', () => {
  const anything = arbitraryOf(ledgerManifest, 'SignedTransaction') as fc.Arbitrary<SignedTransaction>;
  const calls = fc.array(fc.nat(50).map(call), { maxLength: 200 });
  fc.assert(
    fc.property(anything, fc.option(calls), (signed, batch) => {
      const action: Action = batch === null ? signed.transaction.action : { type: 'batch', value: batch };
      const transaction = { ...signed.transaction, action };
      const size = ledger.SignedTransaction.encode({ ...signed, transaction }).length;
      const { type } = action;
      const fixed = GAS.tx_base + (type === 'transfer' ? 0n : GAS.run);
      const paid = Number((intrinsicGas(transaction) - fixed) / GAS.payload_byte);
      assert.ok(size - paid <= 320, `${size} bytes, of which ${paid} are paid for`);
    }),
  );
});
