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
import type { Weights } from './scalars/lagrange.js';

/** The operations of a library. Its inputs satisfy rules 1 to 3 and the range of private keys. */
export interface BlsBackend extends Pick<Bls, 'publicKey' | 'sign'> {
  /** Checks rule 4 for a public key. May throw for a point outside the subgroup. */
  isPublicKey(bytes: Uint8Array): boolean;
  /** Checks rules 4 and 5. May throw for a point outside the subgroup. */
  verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
}

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
export class StrictBls implements Bls {
  readonly #backend: BlsBackend;

  constructor(backend: BlsBackend) {
    this.#backend = backend;
  }

  /** @throws CryptoError `invalid_private_key` unless the key is 32 bytes and between 1 and the group order minus 1 */
  publicKey(privateKey: Uint8Array): Uint8Array {
    expectPrivateKey('BLS', privateKey, GROUP_ORDER);
    return this.#backend.publicKey(privateKey);
  }

  /** @throws CryptoError `invalid_private_key` unless the key is 32 bytes and between 1 and the group order minus 1 */
  sign(message: Uint8Array, privateKey: Uint8Array): Uint8Array {
    expectPrivateKey('BLS', privateKey, GROUP_ORDER);
    return this.#backend.sign(message, privateKey);
  }

  isPublicKey(bytes: Uint8Array): boolean {
    if (!isKeyEncoding(bytes)) return false;
    try {
      return this.#backend.isPublicKey(bytes);
    } catch {
      // The libraries throw for points outside the subgroup.
      return false;
    }
  }

  verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
    if (!isSignatureEncoding(signature) || !isKeyEncoding(publicKey)) return false;
    try {
      return this.#backend.verify(signature, message, publicKey);
    } catch {
      // The libraries throw for points outside the subgroup.
      return false;
    }
  }
}

/** The same for threshold signatures. */
export class StrictThresholdBls extends StrictBls implements ThresholdBls {
  readonly #backend: ThresholdBackend;

  constructor(backend: ThresholdBackend) {
    super(backend);
    this.#backend = backend;
  }

  interpolate(partials: readonly Uint8Array[], weights: Weights): Uint8Array | undefined {
    if (partials.length !== weights.numerators.length || !partials.every(isSignatureEncoding))
      return undefined;
    try {
      const sum = this.#backend.interpolate(partials, weights);
      return isSignatureEncoding(sum) ? sum : undefined;
    } catch {
      // The libraries throw for points that are not on the curve; one also rejects infinity this way.
      return undefined;
    }
  }
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
