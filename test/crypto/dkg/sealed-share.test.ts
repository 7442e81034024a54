import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { decodeChecked } from '../../../src/crypto/dkg/commitments.js';
import { isDecryptionProof, isGarbage, proveDecryption } from '../../../src/crypto/dkg/complaint.js';
import { commitmentsOf, evaluationFor, randomPolynomial } from '../../../src/crypto/dkg/polynomial.js';
import { sealEvaluation, sharedPoint, unmaskEvaluation } from '../../../src/crypto/dkg/sealed-share.js';
import { encodeScalar, GROUP_ORDER, randomScalar } from '../../../src/crypto/scalars/scalars.js';
import { BLS as bls, CRYPTO as crypto } from '../../support/crypto/loaded-crypto.js';
import { hex } from '../../support/hex.js';
import { randomSource } from '../../support/random-source.js';

const random = randomSource(1).bytes;
const parts = { crypto, bls, random };
const context = { chainId: 7n, epoch: 3n, dealer: 2, player: 1 };
const secret = randomScalar(random);
const encryptionKey = bls.publicKey(encodeScalar(secret));
const polynomial = randomPolynomial(3, random);
const commitments = decodeChecked(commitmentsOf(bls, polynomial));
const evaluation = evaluationFor(polynomial, context.player);

test('a player opens the evaluation sealed to it', () => {
  for (const value of [evaluation, 0n, GROUP_ORDER - 1n]) {
    const sealed = sealEvaluation(parts, context, encryptionKey, value);
    assert.equal(unmaskEvaluation(crypto, context, sealed, sharedPoint(sealed.ephemeral, secret)), value);
  }
});

test('a sealed evaluation opens only under its context and key', () => {
  const sealed = sealEvaluation(parts, context, encryptionKey, evaluation);
  const shared = sharedPoint(sealed.ephemeral, secret);
  for (const other of [{ chainId: 8n }, { epoch: 4n }, { dealer: 3 }, { player: 0 }]) {
    assert.notEqual(unmaskEvaluation(crypto, { ...context, ...other }, sealed, shared), evaluation);
  }
  assert.notEqual(
    unmaskEvaluation(crypto, context, sealed, sharedPoint(sealed.ephemeral, secret + 1n)),
    evaluation,
  );
});

test('an outside client opens a sealed evaluation by the formula', () => {
  const sealed = sealEvaluation(parts, context, encryptionKey, evaluation);
  const fields = Buffer.alloc(24);
  fields.writeBigUInt64LE(7n, 0);
  fields.writeBigUInt64LE(3n, 8);
  fields.writeUInt32LE(2, 16);
  fields.writeUInt32LE(1, 20);
  const d = bls12_381.G1.Point.fromBytes(sealed.ephemeral).multiply(secret).toBytes(true);
  const mask = crypto.sha256(Buffer.concat([Buffer.from('heddle/share/1'), fields, sealed.ephemeral, d]));
  const opened = sealed.share.map((byte, at) => byte ^ (mask[at] ?? 0));
  assert.equal(hex(opened), hex(encodeScalar(evaluation)));
});

test('a complaint proves garbage, and none can be made about a good evaluation', () => {
  const shares = {
    good: sealEvaluation(parts, context, encryptionKey, evaluation),
    other: sealEvaluation(parts, context, encryptionKey, evaluation + 1n),
    zero: sealEvaluation(parts, context, encryptionKey, 0n),
    beyond: {
      ...sealEvaluation(parts, context, encryptionKey, evaluation),
      share: Uint8Array.from({ length: 32 }, () => 0xff),
    },
  };
  for (const [name, sealed] of Object.entries(shares)) {
    const proof = proveDecryption(parts, context, secret, sealed.ephemeral);
    assert.ok(isDecryptionProof(parts, context, encryptionKey, sealed.ephemeral, proof), name);
    assert.equal(isGarbage(parts, context, commitments, sealed, proof.shared), name !== 'good', name);
  }
});

test('a polynomial that is zero at a player is not garbage', () => {
  const zeroAtOne = [GROUP_ORDER - 2n, 1n];
  assert.equal(evaluationFor(zeroAtOne, context.player), 0n);
  const points = decodeChecked(commitmentsOf(bls, zeroAtOne));
  const sealed = sealEvaluation(parts, context, encryptionKey, 0n);
  assert.ok(!isGarbage(parts, context, points, sealed, sharedPoint(sealed.ephemeral, secret)));
});

test('no proof holds for another decryption key, context or statement', () => {
  const { ephemeral } = sealEvaluation(parts, context, encryptionKey, evaluation);
  const proof = proveDecryption(parts, context, secret, ephemeral);
  const check = (changed: object, other: object = {}, key = encryptionKey, point = ephemeral) =>
    isDecryptionProof(parts, { ...context, ...other }, key, point, { ...proof, ...changed });
  assert.ok(check({}));
  assert.ok(!check({ shared: sharedPoint(ephemeral, secret + 1n) }));
  assert.ok(!check({ shared: new Uint8Array(48) }));
  assert.ok(!check({ shared: Uint8Array.from([0xc0, ...new Uint8Array(47)]) }));
  assert.ok(!check({ challenge: encodeScalar(1n) }));
  assert.ok(!check({ response: encodeScalar(1n) }));
  assert.ok(!check({ response: Uint8Array.from({ length: 32 }, () => 0xff) }));
  assert.ok(!check({ challenge: new Uint8Array(32), response: new Uint8Array(32) }));
  assert.ok(!check({}, { dealer: 3 }));
  assert.ok(!check({}, { epoch: 4n }));
  assert.ok(!check({}, {}, bls.publicKey(encodeScalar(secret + 1n))));
  assert.ok(!check({}, {}, encryptionKey, bls.publicKey(encodeScalar(5n))));
  // The point with the other y: −D is the key for −x.
  assert.ok(!check({ shared: sharedPoint(ephemeral, GROUP_ORDER - secret) }));
});
