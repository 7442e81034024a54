import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { mersenne } from 'pure-rand/generator/mersenne';

/** Returns numbers in [0, 1). */
export type Random = () => number;

/** A generator with a reproducible sequence per seed. Not for keys. */
export function seededRandom(seed: number): Random {
  const generator = mersenne(seed);
  return () => uniformFloat64(generator);
}

/** An integer from 0 to `bound` − 1. */
export function randomBelow(random: Random, bound: number): number {
  return Math.floor(random() * bound);
}
