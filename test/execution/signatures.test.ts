import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  decodeSignatures,
  encodeSignatures,
  encodeVerdicts,
  verdictAt,
  verifySignatures,
} from '../../src/execution/signature-batch.js';
import type { TransactionEnvelope } from '../../src/ledger/transaction-envelope.js';
import { CRYPTO as crypto } from '../support/crypto/loaded-crypto.js';
import { signedTransfer, testKey, withSignature } from '../support/crypto/signed-transactions.js';

function verdicts(transactions: readonly TransactionEnvelope[]): boolean[] {
  const bitmap = verifySignatures(encodeSignatures(transactions), crypto);
  return transactions.map((_, place) => verdictAt(bitmap, place));
}

test('good signatures of both schemes pass, side by side', () => {
  const all = Array.from({ length: 10 }, (_, key) =>
    signedTransfer(crypto, key % 2 === 0 ? 'ed25519' : 'secp256k1', key),
  );
  assert.deepEqual(
    verdicts(all),
    all.map(() => true),
  );
});

test('a flipped bit in signature, key or transaction makes a signature bad', () => {
  for (const scheme of ['ed25519', 'secp256k1'] as const) {
    const good = signedTransfer(crypto, scheme, 1);
    const { type, value } = good.signed.signature;
    const flipped = (bytes: Uint8Array, at: number) =>
      bytes.map((byte, place) => (place === at ? byte ^ 1 : byte));
    const bad = [
      withSignature(crypto, good, { type, value: { ...value, signature: flipped(value.signature, 3) } }),
      withSignature(crypto, good, { type, value: { ...value, signature: flipped(value.signature, 40) } }),
      withSignature(crypto, good, { type, value: { ...value, public_key: flipped(value.public_key, 9) } }),
      { ...good, hash: flipped(good.hash, 31) },
    ];
    assert.deepEqual(verdicts([...bad, good]), [false, false, false, false, true]);
  }
});

test("a good signature by somebody else's key is bad", () => {
  for (const scheme of ['ed25519', 'secp256k1'] as const) {
    const { secret, publicKey } = testKey(crypto, scheme, 2);
    const victim = signedTransfer(crypto, scheme, 1);
    const value = { public_key: publicKey, signature: crypto[scheme].sign(victim.hash, secret) };
    assert.deepEqual(verdicts([withSignature(crypto, victim, { type: scheme, value })]), [false]);
  }
});

test('a key that is not a curve point is bad without an error', () => {
  const good = signedTransfer(crypto, 'secp256k1', 1);
  const value = { ...good.signed.signature.value, public_key: new Uint8Array(33).fill(0xff) };
  assert.deepEqual(verdicts([withSignature(crypto, good, { type: 'secp256k1', value })]), [false]);
});

test('an empty batch is not an error', () => {
  assert.deepEqual(verifySignatures(encodeSignatures([]), crypto), new Uint8Array(0));
});

test('every part of a batch survives encoding', () => {
  const all = [signedTransfer(crypto, 'ed25519', 1), signedTransfer(crypto, 'secp256k1', 2)];
  const plain = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  assert.deepEqual(
    decodeSignatures(encodeSignatures(all)).map((item) => [
      item.scheme,
      plain(item.hash),
      plain(item.sender),
      plain(item.publicKey),
      plain(item.signature),
    ]),
    all.map(({ hashHex, sender, signed: { signature } }) => [
      signature.type,
      hashHex,
      sender,
      plain(signature.value.public_key),
      plain(signature.value.signature),
    ]),
  );
});

test('a truncated batch or an unknown scheme is an error', () => {
  const batch = encodeSignatures([signedTransfer(crypto, 'ed25519', 1)]);
  assert.throws(() => decodeSignatures(batch.subarray(1)), RangeError);
  batch[52] = 2;
  assert.throws(() => decodeSignatures(batch), RangeError);
});

test('verdicts keep their places in the bitmap', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean()), (expected) => {
      const bitmap = encodeVerdicts(expected);
      assert.equal(bitmap.length, Math.ceil(expected.length / 8));
      assert.deepEqual(
        expected.map((_, place) => verdictAt(bitmap, place)),
        expected,
      );
    }),
  );
});
