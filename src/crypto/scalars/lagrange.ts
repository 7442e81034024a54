import { CryptoError } from '../crypto-error.js';
import { GROUP_ORDER, invertScalar, modOrder } from './scalars.js';

/**
 * Coefficients of points: numerators / denominator, one numerator per point. A fraction keeps all numerators small for
 * a handful of validators: multiplying points by them costs a few additions, and only the sum is multiplied by a
 * full-size number, or not at all if the denominator is 1.
 */
export interface Weights {
  /** May be negative; never zero. */
  readonly numerators: readonly bigint[];
  /** 1 / denominator modulo r. */
  readonly scale: bigint;
}

/** Maximum number of cached signer sets. Ten validators have 120 quorums. */
const KEPT_SETS = 512;

/** Maximum validator index, far beyond any set. */
const MAX_INDEX = 0xffff;

/**
 * The Lagrange coefficients at 0 of a set of validators: Σ weight_i · f(i + 1) = f(0) for every polynomial f of degree
 * below their number.
 * @param indices validator indices from 0; validator i is at point i + 1
 * @throws CryptoError `out_of_range` if there are none, one appears twice, or one is invalid
 */
export function lagrangeAtZero(indices: readonly number[]): Weights {
  expectDistinct(indices);
  const points = indices.map((index) => BigInt(index) + 1n);
  const fractions = points.map((own) => {
    let [top, bottom] = [1n, 1n];
    for (const other of points) {
      if (other === own) continue;
      top *= other;
      bottom *= other - own;
    }
    const divisor = gcd(top, bottom < 0n ? -bottom : bottom) * (bottom < 0n ? -1n : 1n);
    return { top: top / divisor, bottom: bottom / divisor };
  });
  const denominator = fractions.reduce((least, { bottom }) => (least / gcd(least, bottom)) * bottom, 1n);
  return {
    numerators: fractions.map(({ top, bottom }) => top * (denominator / bottom)),
    scale: denominator % GROUP_ORDER === 1n ? 1n : invertScalar(denominator),
  };
}

/** {@link lagrangeAtZero} as scalars from 1 to r − 1, one per validator, with the same errors. */
export function weightsAtZero(indices: readonly number[]): bigint[] {
  const { numerators, scale } = lagrangeAtZero(indices);
  return numerators.map((numerator) => modOrder(numerator * scale));
}

/** Caches {@link lagrangeAtZero}, because the same few sets of signers recur. */
export class LagrangeCache {
  readonly #known = new Map<string, Weights>();

  /** @throws CryptoError as {@link lagrangeAtZero} */
  at(indices: readonly number[]): Weights {
    const name = indices.join();
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const made = lagrangeAtZero(indices);
    if (this.#known.size >= KEPT_SETS) this.#known.clear();
    this.#known.set(name, made);
    return made;
  }
}

function expectDistinct(indices: readonly number[]): void {
  if (indices.length === 0)
    throw new CryptoError('out_of_range', 'interpolation: expected at least one point');
  for (const index of indices) {
    if (!Number.isInteger(index) || index < 0 || index > MAX_INDEX) {
      throw new CryptoError('out_of_range', `interpolation: ${index} is not a validator index`);
    }
  }
  if (new Set(indices).size !== indices.length) {
    throw new CryptoError('out_of_range', `interpolation: duplicate validators in ${indices.join(', ')}`);
  }
}

function gcd(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a, b];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}
