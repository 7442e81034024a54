import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { sealEvaluation } from '../../../src/crypto/dkg/sealed-share.js';
import { areSealingProofs, proveSealing } from '../../../src/crypto/dkg/sealing-proof.js';
import {
  encodeScalar,
  GROUP_ORDER,
  randomScalar,
  reduceToScalar,
} from '../../../src/crypto/scalars/scalars.js';
import { sealShares } from '../../../src/ledger/validators/sealed-shares.js';
import { BLS as bls, CRYPTO as crypto } from '../../support/crypto/loaded-crypto.js';
import { randomSource } from '../../support/random-source.js';

const { Point } = bls12_381.G1;
const random = randomSource(3).bytes;
const parts = { crypto, bls, random };
const context = { chainId: 7n, epoch: 3n, dealer: 2, player: 1 };
const newKey = () => bls.publicKey(encodeScalar(randomScalar(random)));
const encryptionKey = newKey();
const sealed = sealEvaluation(parts, context, encryptionKey, 5n);
const proof = { context, encryptionKey, ...sealed };

/** sha256("heddle/sealed-share/1" ‖ context ‖ X ‖ E ‖ share ‖ A) modulo the order, of the proof above. */
function challengeBy(commitment: Uint8Array, { ephemeral, share } = sealed): bigint {
  const fields = Buffer.alloc(24);
  fields.writeBigUInt64LE(7n, 0);
  fields.writeBigUInt64LE(3n, 8);
  fields.writeUInt32LE(2, 16);
  fields.writeUInt32LE(1, 20);
  const text = Buffer.from('heddle/sealed-share/1');
  return reduceToScalar(
    crypto.sha256(Buffer.concat([text, fields, encryptionKey, ephemeral, share, commitment])),
  );
}

test('a proof satisfies the documented formula', () => {
  const [c, z] = [sealed.challenge, sealed.response].map(reduceToScalar);
  const commitment = Point.BASE.multiply(z ?? 0n).subtract(
    Point.fromBytes(sealed.ephemeral).multiply(c ?? 0n),
  );
  assert.equal(challengeBy(commitment.toBytes(true)), c);
});

test('a proof is refused if any part of its statement differs', () => {
  const other = sealEvaluation(parts, context, encryptionKey, 5n);
  const changes = [
    ...[{ chainId: 8n }, { epoch: 4n }, { dealer: 3 }, { player: 0 }].map((one) => ({
      context: { ...context, ...one },
    })),
    { encryptionKey: newKey() },
    { ephemeral: other.ephemeral },
    { share: other.share },
    { challenge: other.challenge },
    { response: other.response },
    { response: new Uint8Array(32) },
    { challenge: new Uint8Array(32) },
    { challenge: new Uint8Array(32), response: new Uint8Array(32) },
    // The point with the other y is that of −r.
    { ephemeral: sealed.ephemeral.with(0, (sealed.ephemeral[0] ?? 0) ^ 0x20) },
  ];
  const proofs = [{}, ...changes, {}].map((change) => ({ ...proof, ...change }));
  assert.deepEqual(areSealingProofs(crypto, proofs), [true, ...changes.map(() => false), true]);
  assert.deepEqual(areSealingProofs(crypto, []), []);
});

test('a proof with a scalar that is not canonical is refused', () => {
  // The order can be added within 32 bytes, and both equations stay true.
  const beyond = (bytes: Uint8Array) => {
    const sum = reduceToScalar(bytes) + GROUP_ORDER;
    return Uint8Array.from(Buffer.from(sum.toString(16).padStart(64, '0'), 'hex'));
  };
  const { challenge, response } = sealed;
  const proofs = [
    { ...proof, challenge: beyond(challenge) },
    { ...proof, response: beyond(response) },
    { ...proof, response: new Uint8Array(32).fill(0xff) },
  ];
  assert.deepEqual(areSealingProofs(crypto, proofs), [false, false, false]);
});

test('a proof whose commitment is infinity is checked like others', () => {
  const infinity = new Uint8Array(48).with(0, 0xc0);
  const r = randomScalar(random);
  const statement = { ...proof, ephemeral: bls.publicKey(encodeScalar(r)) };
  const challenge = challengeBy(infinity, statement);
  const own = {
    ...statement,
    challenge: encodeScalar(challenge),
    response: encodeScalar((challenge * r) % GROUP_ORDER),
  };
  const wrong = { ...own, challenge: encodeScalar(challenge ^ 1n) };
  assert.deepEqual(areSealingProofs(crypto, [proof, own, wrong, proof]), [true, true, false, true]);
});

test('shares sealed again from the same seed are the same, and those for another key share no randomness', () => {
  const seed = random(32);
  const seal = (key: Uint8Array) =>
    sealShares(parts, {
      chainId: 7n,
      epoch: 3n,
      dealer: 2,
      seed,
      shares: [{ player: 1, encryptionKey: key, evaluation: encodeScalar(9n) }],
    })[0] ?? assert.fail();
  const share = seal(encryptionKey);
  assert.deepEqual(seal(encryptionKey), share);
  assert.notDeepEqual(seal(newKey()).ephemeral, share.ephemeral);
  assert.deepEqual(areSealingProofs(crypto, [{ context, encryptionKey, ...share }]), [true]);
  // A nonce that is the ephemeral's scalar would give that away: response = r + challenge · r.
  const c = reduceToScalar(share.challenge);
  const asNonce = Point.fromBytes(share.ephemeral).multiply((1n + c) % GROUP_ORDER);
  assert.notDeepEqual(asNonce.toBytes(true), bls.publicKey(share.response));
});

test('a proof for a scalar other than that of the point is refused', () => {
  const { challenge, response } = proveSealing(parts, proof, randomScalar(random));
  assert.deepEqual(areSealingProofs(crypto, [{ ...proof, challenge, response }]), [false]);
});
