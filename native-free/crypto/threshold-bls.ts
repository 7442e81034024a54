import { bls12_381 } from '@noble/curves/bls12-381.js';
import type { ThresholdBackend } from '../../src/crypto/strict-bls.js';
import { timesX } from '../../src/crypto/threshold/fast-multiple.js';
import { type PointAdder, weightedSum } from '../../src/crypto/threshold/weighted-sum.js';
import { nobleBls } from './bls.js';

const { G1, G2 } = bls12_381;

type Point = ReturnType<typeof G2.Point.fromBytes>;

const ADDER: PointAdder<Point> = {
  decode: (encoded) => G2.Point.fromBytes(encoded),
  sum: (points) => points.reduce((sum, point) => sum.add(point), G2.Point.ZERO),
  doubleAndAdd: (point, others) => others.reduce((sum, other) => sum.add(other), point.double()),
  timesX: (point) => (point.is0() ? point : G2.Point.fromAffine(timesX(point.toAffine()))),
};

/** Threshold signatures by @noble/curves; runs in browsers too. */
export function nobleThresholdBls(): ThresholdBackend {
  return {
    ...nobleBls(),
    isPublicKey: (encoded) => {
      G1.Point.fromBytes(encoded).assertValidity();
      return true;
    },
    interpolate: (partials, weights) => weightedSum(ADDER, partials, weights).toBytes(true),
  };
}
