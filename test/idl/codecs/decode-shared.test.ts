import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ledger } from '../../../src/ledger/codecs.js';

const transfer = { to: new Uint8Array(20).fill(7), amount: 5n };

test('byte strings of a shared decoding are views of the input', () => {
  const room = new Uint8Array(100);
  const encoded = room.subarray(9, 9 + ledger.Transfer.encode(transfer).length);
  encoded.set(ledger.Transfer.encode(transfer));
  const shared = ledger.Transfer.decodeShared(encoded);
  assert.deepEqual(shared, transfer);
  encoded[0] = 8;
  assert.equal(shared.to[0], 8);
});

test('a decoding after a shared one copies again', () => {
  const encoded = ledger.Transfer.encode(transfer);
  ledger.Transfer.decodeShared(encoded);
  const { to } = ledger.Transfer.decode(encoded);
  encoded[0] = 8;
  assert.equal(to[0], 7);
});

test('decodeShared rejects the same bytes as decode', () => {
  const encoded = ledger.Transfer.encode(transfer);
  assert.throws(() => ledger.Transfer.decodeShared(encoded.subarray(1)), { name: 'BorshError' });
  assert.throws(() => ledger.Transfer.decodeShared(Uint8Array.of(...encoded, 0)), { name: 'BorshError' });
});
