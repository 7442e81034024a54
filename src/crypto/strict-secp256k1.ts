/**
 * ECDSA over secp256k1 (SEC 2) with one acceptance rule, independent of the library.
 *
 * 1. Lengths: 33 bytes for the public key, 64 for r ‖ s (both big-endian), 32 for the hash.
 * 2. 1 ≤ r < n and 1 ≤ s ≤ (n − 1) / 2 (low s, BIP 62).
 * 3. The key starts with 0x02 or 0x03, its x is below the field prime, and it is a point of the curve.
 * 4. The x coordinate of (hash/s)G + (r/s)Q is r modulo n.
 *
 * Rules 1 and 2 and the form of the key are checked here; the curve equation and rule 4 by the backend.
 */
import { bytesOfHex, expectPrivateKey, isBelow, isBetweenOneAnd } from './bounded-bytes.js';
import type { Secp256k1 } from './crypto.js';
import { expectLength } from './crypto-error.js';

/** The operations of a library. Its inputs satisfy rules 1 and 2 and the form of keys. */
export interface Secp256k1Backend extends Pick<Secp256k1, 'publicKey' | 'sign'> {
  /** May throw if the key is not on the curve. */
  uncompress(publicKey: Uint8Array): Uint8Array;
  /** May throw if the key is not on the curve. */
  verify(signature: Uint8Array, hash: Uint8Array, publicKey: Uint8Array): boolean;
  /** Returns the uncompressed key, 65 bytes. May throw if there is none. */
  recover(signature: Uint8Array, hash: Uint8Array, recoveryId: 0 | 1 | 2 | 3): Uint8Array;
}

/** n, big-endian. */
const GROUP_ORDER = bytesOfHex('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141');
/** (n + 1) / 2: the first s that is not low. */
const FIRST_HIGH_S = bytesOfHex('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a1');
/** 2^256 − 2^32 − 977. */
const FIELD_PRIME = bytesOfHex('fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f');

/** Applies the rules above before calling a library. */
export class StrictSecp256k1 implements Secp256k1 {
  readonly #backend: Secp256k1Backend;

  constructor(backend: Secp256k1Backend) {
    this.#backend = backend;
  }

  /** @throws CryptoError `invalid_private_key` unless the key is 32 bytes and between 1 and n − 1 */
  publicKey(privateKey: Uint8Array): Uint8Array {
    expectPrivateKey('secp256k1', privateKey, GROUP_ORDER);
    return this.#backend.publicKey(privateKey);
  }

  uncompress(publicKey: Uint8Array): Uint8Array | undefined {
    if (!hasKeyForm(publicKey)) return undefined;
    try {
      return this.#backend.uncompress(publicKey);
    } catch {
      // The libraries throw if x is not on the curve.
      return undefined;
    }
  }

  /**
   * @throws CryptoError `invalid_length` unless the hash is 32 bytes, `invalid_private_key` unless the key is 32 bytes
   * and between 1 and n − 1
   */
  sign(hash: Uint8Array, privateKey: Uint8Array): Uint8Array {
    expectLength('secp256k1 hash', hash, 32);
    expectPrivateKey('secp256k1', privateKey, GROUP_ORDER);
    return this.#backend.sign(hash, privateKey);
  }

  verify(signature: Uint8Array, hash: Uint8Array, publicKey: Uint8Array): boolean {
    if (hash.length !== 32 || !hasKeyForm(publicKey) || !hasSignatureForm(signature)) return false;
    try {
      return this.#backend.verify(signature, hash, publicKey);
    } catch {
      // The libraries throw if the key is not on the curve.
      return false;
    }
  }

  recover(signature: Uint8Array, hash: Uint8Array, recoveryId: number): Uint8Array | undefined {
    if (hash.length !== 32 || !hasSignatureForm(signature)) return undefined;
    if (recoveryId !== 0 && recoveryId !== 1 && recoveryId !== 2 && recoveryId !== 3) return undefined;
    try {
      return this.#backend.recover(signature, hash, recoveryId);
    } catch {
      // The libraries throw if no point has this x, or the key would be the point at infinity.
      return undefined;
    }
  }
}

function hasKeyForm(publicKey: Uint8Array): boolean {
  if (publicKey.length !== 33) return false;
  const prefix = publicKey[0];
  return (prefix === 2 || prefix === 3) && isBelow(publicKey, 1, FIELD_PRIME);
}

function hasSignatureForm(signature: Uint8Array): boolean {
  return (
    signature.length === 64 &&
    isBetweenOneAnd(signature, 0, GROUP_ORDER) &&
    isBetweenOneAnd(signature, 32, FIRST_HIGH_S)
  );
}
