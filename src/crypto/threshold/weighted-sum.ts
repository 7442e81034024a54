/**
 * Sums of multiples of points of G2, by whatever a library offers for adding them. With a weight's numerators the sum is built
 * bit by bit for all points at once (Straus); it is then multiplied by the scale, whose four digits of 64 bits are done so too.
 */

import type { Weights } from '../scalars/lagrange.js';
import { digitsOfX } from './fast-multiple.js';

/** What a library brings. Points may be outside the subgroup: then the sum is some point. */
export interface PointAdder<Point> {
  /** A compressed point, 96 bytes. May throw on what is none. */
  decode(encoded: Uint8Array): Point;
  /** The sum of one point or more. */
  sum(points: readonly Point[]): Point;
  /** Twice the point, plus the others. */
  doubleAndAdd(point: Point, others: readonly Point[]): Point;
  /** As `timesX` of fast-multiple.ts; infinity stays. */
  timesX(point: Point): Point;
}

/** The bit of a compressed encoding that says which of the two y is meant. */
const SIGN = 0x20;

/**
 * Σ weight_i · point_i.
 * @param encoded compressed points, none at infinity, as many as there are numerators
 * @throws what the library's `decode` throws
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

/** @param terms at least one of them not zero times */
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
