/**
 * Feldman commitments (Feldman, FOCS 1987): a polynomial's coefficients as points of G1, so that anyone can check an
 * evaluation, and compute the public key of every share, without knowing any secret.
 *
 * Inputs are public and nothing runs in constant time. Loads a pairing library and takes milliseconds to seconds
 * (bench/dkg.bench.ts), so it must not run on the main thread.
 */
import { interleavedMSMUnsafe, normalizeZ } from '@noble/curves/abstract/curve.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';

const { Point } = bls12_381.G1;
const { Fp } = bls12_381.fields;

export type CommitmentPoint = InstanceType<typeof Point>;

/** Window size in bits for multi-scalar multiplication. */
const WINDOW = 5;

/**
 * Decodes points of G1 that `Bls.isPublicKey` has accepted; the subgroup check, most of the work, is not repeated.
 * @param commitments 48 bytes each, compressed
 * @throws Error if one is not even on the curve
 */
export function decodeChecked(commitments: readonly Uint8Array[]): CommitmentPoint[] {
  return commitments.map((bytes) => {
    const flags = bytes[0] ?? 0;
    const x = BigInt(`0x${Buffer.from(bytes.with(0, flags & 0x1f)).toString('hex')}`);
    const y = Fp.sqrt(Fp.add(Fp.mul(Fp.sqr(x), x), 4n));
    const isGreater = 2n * y > Fp.ORDER;
    return Point.fromAffine({ x, y: isGreater === ((flags & 0x20) !== 0) ? y : Fp.neg(y) });
  });
}

/** Encodes each point as 48 compressed bytes. */
export function encodePoints(points: readonly CommitmentPoint[]): Uint8Array[] {
  return normalizeZ(Point, [...points]).map((point) => point.toBytes(true));
}

/** Evaluates a committed polynomial at player + 1: the public key of that player's evaluation. */
export function evaluateFor(commitments: readonly CommitmentPoint[], player: number): CommitmentPoint {
  const at = player + 1;
  // Each step of Horner's rule multiplies only by a small number.
  return commitments.reduceRight((sum, point) => multiplySmall(sum, at).add(point), Point.ZERO);
}

/** Commitments to the weighted sum of committed polynomials of the same degree. */
export function combine(
  dealings: readonly (readonly CommitmentPoint[])[],
  weights: readonly bigint[],
): CommitmentPoint[] {
  const [first = []] = dealings;
  return first.map((_, coefficient) => {
    const points = dealings.map((commitments) => commitments[coefficient] ?? Point.ZERO);
    return weights.every((weight) => weight === 1n)
      ? points.reduce((sum, point) => sum.add(point), Point.ZERO)
      : interleavedMSMUnsafe(Point, points, WINDOW)([...weights]);
  });
}

/** @param by from 1 to 2^31 − 1 */
function multiplySmall(point: CommitmentPoint, by: number): CommitmentPoint {
  let product = point;
  for (let bit = 30 - Math.clz32(by); bit >= 0; bit--) {
    product = product.double();
    if (((by >> bit) & 1) === 1) product = product.add(point);
  }
  return product;
}
