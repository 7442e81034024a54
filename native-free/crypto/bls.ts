import { bls12_381 } from '@noble/curves/bls12-381.js';
import type { BlsBackend } from '../../src/crypto/strict-bls.js';

/** The suite's domain separation tag for hashing to the curve. */
export const BLS_TAG = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_';

/** BLS by @noble/curves; runs in browsers too. @param tag another suite's tag, to check signatures made under it */
export function nobleBls(tag: string = BLS_TAG): BlsBackend {
  const { longSignatures } = bls12_381;
  return {
    publicKey: (privateKey) => longSignatures.getPublicKey(privateKey).toBytes(true),
    sign: (message, privateKey) =>
      longSignatures.Signature.toBytes(longSignatures.sign(longSignatures.hash(message, tag), privateKey)),
    isPublicKey: (bytes) => {
      bls12_381.G1.Point.fromBytes(bytes).assertValidity();
      return true;
    },
    verify: (signature, message, publicKey) => {
      const key = bls12_381.G1.Point.fromBytes(publicKey);
      const point = longSignatures.Signature.fromBytes(signature);
      // Both points must be in the subgroup; this is checked here instead of left to the decoder.
      key.assertValidity();
      point.assertValidity();
      return longSignatures.verify(point, longSignatures.hash(message, tag), key);
    },
  };
}
