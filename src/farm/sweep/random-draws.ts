import { uniformBigInt } from 'pure-rand/distribution/uniformBigInt';
import { mersenne } from 'pure-rand/generator/mersenne';
import type { JumpableRandomGenerator } from 'pure-rand/types/JumpableRandomGenerator';
import { GeometricCurve } from './geometric-curve.js';
import { integerJson } from './integers.js';
import type { Bounds } from './range.js';

/** Draws one value. @returns JSON text */
export type Draw = (generator: JumpableRandomGenerator) => string;

/** Draws integers between bounds: each with the same probability, or on a logarithmic scale. */
export function integerDraw({ from, to, isText, isLog }: Bounds): Draw {
  if (!isLog) return (generator) => integerJson(uniformBigInt(generator, from, to), isText);
  // An integer stands for the part of the curve up to the next integer.
  const curve = new GeometricCurve(from, to + 1n);
  const last = (1n << BigInt(curve.bits)) - 1n;
  return (generator) => integerJson(curve.below(uniformBigInt(generator, 0n, last)), isText);
}

/** Independent generators of a seed. A generator depends only on the seed and its position, not on their number. */
export function generators(seed: number, count: number): JumpableRandomGenerator[] {
  const generator = mersenne(seed);
  return Array.from({ length: count }, (_, position) => {
    if (position > 0) generator.jump();
    return generator.clone();
  });
}
