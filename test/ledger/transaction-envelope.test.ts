import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { ledger } from '../../src/ledger/codecs.js';
import { encodeTransactionItem, transactionFromEncoded } from '../../src/ledger/transaction-envelope.js';
import { PURE_CRYPTO as crypto } from '../support/crypto/pure-crypto.js';
import { signedTransfer, testKey } from '../support/crypto/signed-transactions.js';

test('a transaction’s hash covers the bytes that its sender signed, in either scheme', () => {
  for (const scheme of ['ed25519', 'secp256k1'] as const) {
    const { hash, hashHex, sender, signed } = signedTransfer(crypto, scheme, 1);
    const expected = createHash('sha256')
      .update('heddle/tx/1')
      .update(ledger.Transaction.encode(signed.transaction))
      .digest();
    assert.deepEqual(Buffer.from(hash), expected);
    assert.equal(hashHex, expected.toString('hex'));
    assert.equal(sender, Buffer.from(testKey(crypto, scheme, 1).address).toString('hex'));
  }
});

test('the binary form yields the same transaction as the decoded one', () => {
  for (const scheme of ['ed25519', 'secp256k1'] as const) {
    const transaction = signedTransfer(crypto, scheme, 2, 5n);
    assert.deepEqual(transactionFromEncoded(transaction.encoded, crypto), transaction);
  }
});

test('bytes that are not a signed transaction are refused with the position of the error', () => {
  const { encoded } = signedTransfer(crypto, 'ed25519', 1);
  assert.throws(() => transactionFromEncoded(encoded.subarray(0, -1), crypto), { name: 'BorshError' });
  assert.throws(() => transactionFromEncoded(new Uint8Array([...encoded, 0]), crypto), {
    name: 'BorshError',
  });
  assert.throws(() => transactionFromEncoded(new Uint8Array(0), crypto), { name: 'BorshError' });
});

test("a block's item is the transaction after its variant's byte", () => {
  const transaction = signedTransfer(crypto, 'secp256k1', 3);
  const item = encodeTransactionItem(transaction);
  assert.deepEqual(
    Uint8Array.from(item),
    ledger.BlockItem.encode({ type: 'transaction', value: transaction.signed }),
  );
});
