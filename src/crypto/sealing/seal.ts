import { bls12_381 } from '@noble/curves/bls12-381.js';
import { BLS_TAG } from '../../../native-free/crypto/bls.js';
import { expectLength } from '../crypto-error.js';
import { exponent, maskKey, maskSigma, payloadCipher, type SealedParts } from './scheme.js';

export interface SealParameters {
  /** The chain's, 48 bytes, trusted: whoever has its private key reads the action. */
  readonly groupPublicKey: Uint8Array;
  /** Of the height whose key opens it, see `sealIdentity`. */
  readonly identity: Uint8Array;
  /** borsh(SealedHeader): readable by all, and not to be changed. */
  readonly header: Uint8Array;
  /** borsh(Action): what is hidden. */
  readonly action: Uint8Array;
  /** 64 bytes from a cryptographic source, used for nothing else: σ ‖ K. */
  readonly randomness: Uint8Array;
}

/**
 * Encrypts an action so that the key of a height opens it. Takes some 25 ms; runs in browsers.
 * @throws CryptoError `invalid_length`; an error of the library where the group key is none
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
    // e(PK, Q)^r, for less than a power in the target group costs.
    v: maskSigma(sigma, bls12_381.pairing(groupKey.multiply(r), point)),
    w: maskKey(key, sigma),
    payload: payloadCipher(key, header).encrypt(action),
  };
}
