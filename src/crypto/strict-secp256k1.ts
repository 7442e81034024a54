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
import { attempt, expectLength } from './crypto-error.js';

/**
 * The operations of a library, which may throw if a key is not on the curve or there is none. Its inputs satisfy rules 1
 * and 2 and the form of keys.
 */
export interface Secp256k1Backend extends Secp256k1 {
  recover(signature: Uint8Array, hash: Uint8Array, recoveryId: 0 | 1 | 2 | 3): Uint8Array;
}

/** n, big-endian. */
const GROUP_ORDER = bytesOfHex('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141');
/** (n + 1) / 2: the first s that is not low. */
const FIRST_HIGH_S = bytesOfHex('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a1');
/** 2^256 − 2^32 − 977. */
const FIELD_PRIME = bytesOfHex('fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f');

/** Applies the rules above before calling a library. */
export function strictSecp256k1(backend: Secp256k1Backend): Secp256k1 {
  return {
    publicKey(privateKey) {
      expectPrivateKey('secp256k1', privateKey, GROUP_ORDER);
      return backend.publicKey(privateKey);
    },
    uncompress: (publicKey) =>
      hasKeyForm(publicKey) ? attempt(() => backend.uncompress(publicKey)) : undefined,
    sign(hash, privateKey) {
      expectLength('secp256k1 hash', hash, 32);
      expectPrivateKey('secp256k1', privateKey, GROUP_ORDER);
      return backend.sign(hash, privateKey);
    },
    verify(signature, hash, publicKey) {
      if (hash.length !== 32 || !hasKeyForm(publicKey) || !hasSignatureForm(signature)) return false;
      return attempt(() => backend.verify(signature, hash, publicKey)) === true;
    },
    recover(signature, hash, recoveryId) {
      if (hash.length !== 32 || !hasSignatureForm(signature)) return undefined;
      if (recoveryId !== 0 && recoveryId !== 1 && recoveryId !== 2 && recoveryId !== 3) return undefined;
      // The libraries throw if no point has this x, or the key would be the point at infinity.
      return attempt(() => backend.recover(signature, hash, recoveryId));
    },
  };
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
