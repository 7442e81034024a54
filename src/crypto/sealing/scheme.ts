/**
 * The parts shared by sealing and opening: Boneh–Franklin identity-based encryption over BLS12-381 with the
 * Fujisaki–Okamoto transform (as in tlock, eprint 2023/189). Runs in browsers.
 *
 * For randomness σ and a payload key K, 32 bytes each:
 * - r = (big-endian integer of sha512("heddle/seal/3" ‖ σ ‖ K) mod (n − 1)) + 1, n the order of the groups;
 * - u = r·G1, v = σ ⊕ sha256("heddle/seal/2" ‖ gt), w = K ⊕ sha256("heddle/seal/4" ‖ σ);
 * - gt = e(PK, Q)^r when sealing, e(u, S) when opening with the identity's key S: the 576 bytes of `Fp12.toBytes`;
 * - the payload is XChaCha20-Poly1305 under K with a zero nonce, since each K is used once, and the header as
 *   associated data.
 */
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { GROUP_ORDER } from '../scalars/scalars.js';

export interface SealedParts {
  /** r·G1, compressed, 48 bytes. */
  readonly u: Uint8Array;
  /** 32 bytes. */
  readonly v: Uint8Array;
  /** 32 bytes. */
  readonly w: Uint8Array;
  /** 16 bytes longer than the plaintext. */
  readonly payload: Uint8Array;
}

const NONCE = new Uint8Array(24);

const encoder = new TextEncoder();
const MASK_OF_SIGMA = encoder.encode('heddle/seal/2');
const EXPONENT = encoder.encode('heddle/seal/3');
const MASK_OF_KEY = encoder.encode('heddle/seal/4');

type TargetElement = ReturnType<typeof bls12_381.pairing>;

/** r from σ and K: 1 to n − 1. */
export function exponent(sigma: Uint8Array, key: Uint8Array): bigint {
  const digest = sha512.create().update(EXPONENT).update(sigma).update(key).digest();
  const number = digest.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return (number % (GROUP_ORDER - 1n)) + 1n;
}

/** Maps σ to v, and v to σ. */
export function maskSigma(bytes: Uint8Array, gt: TargetElement): Uint8Array {
  const encoded = bls12_381.fields.Fp12.toBytes(gt);
  return xor(bytes, sha256.create().update(MASK_OF_SIGMA).update(encoded).digest());
}

/** Maps K to w, and w to K. */
export function maskKey(bytes: Uint8Array, sigma: Uint8Array): Uint8Array {
  return xor(bytes, sha256.create().update(MASK_OF_KEY).update(sigma).digest());
}

export function payloadCipher(key: Uint8Array, header: Uint8Array): ReturnType<typeof xchacha20poly1305> {
  return xchacha20poly1305(key, NONCE, header);
}

function xor(bytes: Uint8Array, mask: Uint8Array): Uint8Array {
  return mask.map((byte, at) => byte ^ (bytes[at] ?? 0));
}
