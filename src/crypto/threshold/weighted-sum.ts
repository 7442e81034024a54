/**
 * Weighted sums of points of G2, using a library's point additions. The sum over the numerators is built bit by bit for
 * all points at once (Straus), then multiplied by the scale, whose four 64-bit digits are handled the same way.
 */

import type { Weights } from '../scalars/lagrange.js';
import { digitsOfX } from './fast-multiple.js';

/** The operations of a library. For points outside the subgroup the sum is an arbitrary point. */
export interface PointAdder<Point> {
  /** Decodes a compressed point, 96 bytes. May throw if invalid. */
  decode(encoded: Uint8Array): Point;
  /** The sum of one or more points. */
  sum(points: readonly Point[]): Point;
  /** Twice the point, plus the others. */
  doubleAndAdd(point: Point, others: readonly Point[]): Point;
  /** Like `timesX` of fast-multiple.ts; infinity stays infinity. */
  timesX(point: Point): Point;
}

/** The bit of a compressed encoding that selects y. */
const SIGN = 0x20;

/**
 * Σ weight_i · point_i.
 * @param encoded compressed points, none at infinity, one per numerator
 * @throws the errors of the library's `decode`
 */
export function weightedSum<Point>(
  adder: PointAdder<Point>,
  encoded: readonly Uint8Array[],
  { numerators, scale }: Weights,
): Point {
  const terms = numerators.map((numerator, place) => {
    const bytes = encoded[place] ?? new Uint8Array(0);
    return numerator < 0n
      ? { point: adder.decode(negated(bytes)), times: -numerator }
      : { point: adder.decode(bytes), times: numerator };
  });
  const sum = sumOfMultiples(adder, terms);
  return scale === 1n ? sum : multiple(adder, sum, scale);
}

interface Term<Point> {
  readonly point: Point;
  readonly times: bigint;
}

function multiple<Point>(adder: PointAdder<Point>, point: Point, scalar: bigint): Point {
  let power = point;
  const terms = digitsOfX(scalar).map((times, place) => {
    if (place > 0) power = adder.timesX(power);
    return { point: power, times };
  });
  return sumOfMultiples(adder, terms);
}

/** @param terms at least one with a nonzero factor */
function sumOfMultiples<Point>(adder: PointAdder<Point>, terms: readonly Term<Point>[]): Point {
  const bits = Math.max(...terms.map(({ times }) => times.toString(2).length));
  const added = (bit: number) =>
    terms.filter(({ times }) => ((times >> BigInt(bit)) & 1n) === 1n).map(({ point }) => point);
  let sum = adder.sum(added(bits - 1));
  for (let bit = bits - 2; bit >= 0; bit--) sum = adder.doubleAndAdd(sum, added(bit));
  return sum;
}

function negated(encoded: Uint8Array): Uint8Array {
  const out = encoded.slice();
  out[0] = (out[0] ?? 0) ^ SIGN;
  return out;
}
