import { bls12_381 } from '@noble/curves/bls12-381.js';
import type { BlsBackend } from '../../src/crypto/strict-bls.js';

/** The tag that the suite hashes messages to the curve with. */
export const BLS_TAG = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_';

/**
 * BLS signatures by @noble/curves; runs in browsers too.
 * @param tag other than the suite's only to check against signatures that were made elsewhere with another
 */
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
      // That both are in the subgroup is half of what makes a signature good: asked for, not left to the decoder.
      key.assertValidity();
      point.assertValidity();
      return longSignatures.verify(point, longSignatures.hash(message, tag), key);
    },
  };
}
