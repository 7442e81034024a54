import { bls12_381 } from '@noble/curves/bls12-381.js';
import { BLS_TAG } from '../../../native-free/crypto/bls.js';
import { expectLength } from '../crypto-error.js';
import { exponent, maskKey, maskSigma, payloadCipher, type SealedParts } from './scheme.js';

export interface SealParameters {
  /** The chain's group public key, 48 bytes. It must be trusted: the owner of its private key can read the action. */
  readonly groupPublicKey: Uint8Array;
  /** The identity of the height whose key opens it, see `sealIdentity`. */
  readonly identity: Uint8Array;
  /** borsh(SealedHeader): public and authenticated. */
  readonly header: Uint8Array;
  /** borsh(Action), the plaintext. */
  readonly action: Uint8Array;
  /** σ ‖ K: 64 bytes from a cryptographic source, never reused. */
  readonly randomness: Uint8Array;
}

/**
 * Encrypts an action so that the key of a height opens it. Takes about 25 ms; runs in browsers.
 * @throws CryptoError `invalid_length`; a library error if the group key is invalid
 */
export function seal(parameters: SealParameters): SealedParts {
  const { groupPublicKey, identity, header, action, randomness } = parameters;
  expectLength('sealing: group public key', groupPublicKey, 48);
  expectLength('sealing: randomness', randomness, 64);
  const sigma = randomness.slice(0, 32);
  const key = randomness.slice(32);
  const r = exponent(sigma, key);
  const groupKey = bls12_381.G1.Point.fromBytes(groupPublicKey);
  groupKey.assertValidity();
  const point = bls12_381.longSignatures.hash(identity, BLS_TAG);
  return {
    u: bls12_381.G1.Point.BASE.multiply(r).toBytes(true),
    // e(PK, Q)^r, cheaper than exponentiation in the target group.
    v: maskSigma(sigma, bls12_381.pairing(groupKey.multiply(r), point)),
    w: maskKey(key, sigma),
    payload: payloadCipher(key, header).encrypt(action),
  };
}
