/**
 * BLS signatures over BLS12-381 with one acceptance rule, independent of the library.
 *
 * 1. Lengths are 48 bytes for the public key (a point of G1) and 96 for the signature (a point of G2).
 * 2. Both are compressed, so the first of the three flag bits is set, and neither is the point at infinity, so the
 *    second flag bit is clear. (A signature under a key other than the identity is never the identity, so this
 *    rejects no valid one.)
 * 3. Coordinates are canonical: every 48 bytes, without flags, are a number below the field prime.
 * 4. Both are points of the curve and of its subgroup of prime order.
 * 5. e(public key, H(message)) = e(generator, signature).
 *
 * Rules 1 to 3 are checked here, 4 and 5 by the backend.
 */
import { bytesOfHex, expectPrivateKey, isBelow } from './bounded-bytes.js';
import type { Bls, ThresholdBls } from './crypto.js';
import { attempt } from './crypto-error.js';
import type { Weights } from './scalars/lagrange.js';

/**
 * The operations of a library, which checks rules 4 and 5 and may throw for a point outside the subgroup. Its inputs
 * satisfy rules 1 to 3 and the range of private keys.
 */
export type BlsBackend = Bls;

/** The threshold operations of a library. Its inputs satisfy rules 1 to 3. */
export interface ThresholdBackend extends BlsBackend {
  /** Like {@link ThresholdBls.interpolate}. May throw for points that are not on the curve. */
  interpolate(partials: readonly Uint8Array[], weights: Weights): Uint8Array;
}

/** r, big-endian. */
const GROUP_ORDER = bytesOfHex('73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001');
/** p, big-endian. */
const FIELD_PRIME = bytesOfHex(
  '1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab',
);

const COMPRESSED = 0x80;
const INFINITY = 0x40;
const FLAGS = 0xe0;

/** Applies the rules above before calling a library. */
export function strictBls(backend: BlsBackend): Bls {
  return {
    publicKey(privateKey) {
      expectPrivateKey('BLS', privateKey, GROUP_ORDER);
      return backend.publicKey(privateKey);
    },
    sign(message, privateKey) {
      expectPrivateKey('BLS', privateKey, GROUP_ORDER);
      return backend.sign(message, privateKey);
    },
    isPublicKey: (bytes) => isKeyEncoding(bytes) && attempt(() => backend.isPublicKey(bytes)) === true,
    verify(signature, message, publicKey) {
      if (!isSignatureEncoding(signature) || !isKeyEncoding(publicKey)) return false;
      return attempt(() => backend.verify(signature, message, publicKey)) === true;
    },
  };
}

/** The same for threshold signatures. */
export function strictThresholdBls(backend: ThresholdBackend): ThresholdBls {
  return {
    ...strictBls(backend),
    interpolate(partials, weights) {
      if (partials.length !== weights.numerators.length || !partials.every(isSignatureEncoding))
        return undefined;
      const sum = attempt(() => backend.interpolate(partials, weights));
      return sum !== undefined && isSignatureEncoding(sum) ? sum : undefined;
    },
  };
}

/** Checks rules 1 to 3 for a public key. */
export function isKeyEncoding(encoded: Uint8Array): boolean {
  return encoded.length === 48 && hasPointForm(encoded);
}

/** Checks rules 1 to 3 for a signature. */
export function isSignatureEncoding(encoded: Uint8Array): boolean {
  return encoded.length === 96 && hasPointForm(encoded) && isBelow(encoded, 48, FIELD_PRIME);
}

/** Checks rule 2, and rule 3 for the first coordinate. */
function hasPointForm(encoded: Uint8Array): boolean {
  const flags = encoded[0] ?? 0;
  return (flags & COMPRESSED) !== 0 && (flags & INFINITY) === 0 && isBelow(encoded, 0, FIELD_PRIME, ~FLAGS);
}
