/**
 * An endomorphism of G2's curve that multiplies every point of its subgroup by X = 0xd201000000010000 at the cost of
 * three field multiplications: the negated untwist-Frobenius-twist map of Galbraith and Scott (eprint 2008/117), for
 * which the curve's parameter is −X. It splits a 255-bit multiplication into four of 64 bits.
 */

/** The absolute value of the curve's parameter. */
export const X = 0xd201000000010000n;

/** p. */
const FIELD_PRIME =
  0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;

/** (1 + u)^((1 − p) / 3) = X_FACTOR · u. */
const X_FACTOR =
  0x1a0111ea397fe699ec02408663d4de85aa0d857d89759ad4897d29650fb85f9b409427eb4f49fffd8bfd00000000aaadn;
/** −(1 + u)^((1 − p) / 2) = Y_FACTOR · (1 − u). */
const Y_FACTOR =
  0x06af0e0437ff400b6831e36d6bd17ffe48395dabc2d3435e77f76e17009241c5ee67992f72ec05f4c81084fbede3cc09n;

/** c0 + c1 · u, both from 0 to p − 1. */
export interface Fp2Element {
  readonly c0: bigint;
  readonly c1: bigint;
}

/** A point of the curve other than infinity. */
export interface AffinePoint {
  readonly x: Fp2Element;
  readonly y: Fp2Element;
}

/** X times a point of the subgroup; an arbitrary point of the curve for other inputs. */
export function timesX({ x, y }: AffinePoint): AffinePoint {
  return {
    x: { c0: modPrime(X_FACTOR * x.c1), c1: modPrime(X_FACTOR * x.c0) },
    y: { c0: modPrime(Y_FACTOR * (y.c0 - y.c1)), c1: modPrime(-Y_FACTOR * (y.c0 + y.c1)) },
  };
}

/** Splits a number below r into four base-X digits, least significant first. */
export function digitsOfX(scalar: bigint): readonly bigint[] {
  return [scalar % X, (scalar / X) % X, (scalar / X ** 2n) % X, scalar / X ** 3n];
}

function modPrime(value: bigint): bigint {
  const rest = value % FIELD_PRIME;
  return rest < 0n ? rest + FIELD_PRIME : rest;
}
