/**
 * Ed25519 (RFC 8032) with one acceptance rule, independent of the library. Libraries differ on malformed and exotic
 * signatures ("Taming the many EdDSAs", Chalkias, Garillot, Nikolaenko, SSR 2020); these rules leave no room for
 * differences.
 *
 * 1. Lengths are 32 bytes for the public key A and 64 for the signature R ‖ s.
 * 2. s is below the group order L.
 * 3. A and R are canonical: y below the field prime p, and no sign bit if x is zero.
 * 4. Neither A nor R is a point of small order (1, 2, 4 or 8).
 * 5. A is a point of the curve, and R equals, byte for byte, the encoding of sB − hA (no multiplication by the
 *    cofactor).
 *
 * Rules 1 to 4 are checked here, rule 5 by the backend. Points with a component of small order are not rejected as
 * such: they are valid if the equation of rule 5 holds.
 */
import { bytesOfHex, isBelow } from './bounded-bytes.js';
import type { Ed25519 } from './crypto.js';
import { attempt, expectLength } from './crypto-error.js';

/**
 * The operations of a library, whose `verify` checks rule 5 and may throw for a point that it cannot decode. Its inputs
 * satisfy the lengths and rules 1 to 4.
 */
export type Ed25519Backend = Ed25519;

/** L = 2^252 + 27742317777372353535851937790883648493, big-endian. */
const GROUP_ORDER = bytesOfHex('1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed');
/** p = 2^255 − 19, big-endian. */
const FIELD_PRIME = bytesOfHex('7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed');

/**
 * The y coordinates of the eight points of small order, little-endian with a clear sign bit. They are rejected with
 * either sign bit, which also covers rule 3's sign bit, since x is zero only at y = 1 and y = −1.
 */
const SMALL_ORDER_Y = [
  // order 4: y = 0
  '0000000000000000000000000000000000000000000000000000000000000000',
  // order 1: y = 1
  '0100000000000000000000000000000000000000000000000000000000000000',
  // order 8
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  // order 8
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  // order 2: y = −1
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
].map(bytesOfHex);

/** Applies the rules above before calling a library. */
export function strictEd25519(backend: Ed25519Backend): Ed25519 {
  return {
    publicKey(seed) {
      expectLength('ed25519 seed', seed, 32);
      return backend.publicKey(seed);
    },
    sign(message, seed) {
      expectLength('ed25519 seed', seed, 32);
      return backend.sign(message, seed);
    },
    signer(seed) {
      expectLength('ed25519 seed', seed, 32);
      return backend.signer(seed);
    },
    verify(signature, message, publicKey) {
      if (signature.length !== 64 || publicKey.length !== 32) return false;
      if (!isBelow(signature, 63, GROUP_ORDER, 0xff, -1)) return false;
      if (!isAcceptablePoint(publicKey) || !isAcceptablePoint(signature)) return false;
      // Some libraries throw for a key that is not on the curve, others return false.
      return attempt(() => backend.verify(signature, message, publicKey)) === true;
    },
  };
}

/** Checks rules 3 and 4 for the point in the first 32 bytes. */
function isAcceptablePoint(encoded: Uint8Array): boolean {
  return isBelow(encoded, 31, FIELD_PRIME, 0x7f, -1) && !SMALL_ORDER_Y.some((y) => hasY(encoded, y));
}

function hasY(encoded: Uint8Array, y: Uint8Array): boolean {
  for (let i = 0; i < 31; i++) if (encoded[i] !== y[i]) return false;
  return ((encoded[31] ?? 0) & 0x7f) === y[31];
}
