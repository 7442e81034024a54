import { bls12_381 } from '@noble/curves/bls12-381.js';
import type { ThresholdBackend } from '../../src/crypto/strict-bls.js';
import { timesX } from '../../src/crypto/threshold/fast-multiple.js';
import { type PointAdder, weightedSum } from '../../src/crypto/threshold/weighted-sum.js';
import { nobleBls } from './bls.js';

const { G2 } = bls12_381;
const { Fp, Fp2 } = bls12_381.fields;

type Point = ReturnType<typeof G2.Point.fromBytes>;

const ADDER: PointAdder<Point> = {
  decode: decodeOnCurve,
  sum: (points) => points.reduce((sum, point) => sum.add(point), G2.Point.ZERO),
  doubleAndAdd: (point, others) => others.reduce((sum, other) => sum.add(other), point.double()),
  timesX: (point) => (point.is0() ? point : G2.Point.fromAffine(timesX(point.toAffine()))),
};

/**
 * Decodes a compressed point of the curve, like the native library without checking the subgroup, because the sum is
 * verified.
 * @param encoded 96 bytes, x.c1 ‖ x.c0 below p with flags in the top bits, not infinity
 * @throws Error if no point of the curve has this x
 */
function decodeOnCurve(encoded: Uint8Array): Point {
  const flags = encoded[0] ?? 0;
  const number = (bytes: Uint8Array) => [...bytes].reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
  const x = Fp2.fromBigTuple([
    number(encoded.subarray(48)),
    number(encoded.subarray(0, 48).with(0, flags & 0x1f)),
  ]);
  const y = Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.sqr(x), x), Fp2.fromBigTuple([4n, 4n])));
  return G2.Point.fromAffine({ x, y: isGreater(y) === ((flags & 0x20) !== 0) ? y : Fp2.neg(y) });
}

/** The inverse of {@link decodeOnCurve}; also encodes infinity. */
function encodeOnCurve(point: Point): Uint8Array {
  if (point.is0()) return new Uint8Array(96).with(0, 0xc0);
  const { x, y } = point.toAffine();
  const bytes = new Uint8Array(96);
  bytes.set(Fp.toBytes(x.c1));
  bytes.set(Fp.toBytes(x.c0), 48);
  return bytes.with(0, (bytes[0] ?? 0) | 0x80 | (isGreater(y) ? 0x20 : 0));
}

/** True if y is greater than its negative. */
function isGreater({ c0, c1 }: { readonly c0: bigint; readonly c1: bigint }): boolean {
  return 2n * (c1 === 0n ? c0 : c1) > Fp.ORDER;
}

/** Threshold signatures by @noble/curves; runs in browsers too. */
export function nobleThresholdBls(): ThresholdBackend {
  return {
    ...nobleBls(),
    interpolate: (partials, weights) => encodeOnCurve(weightedSum(ADDER, partials, weights)),
  };
}
