import { randomBelow, seededRandom } from '../../src/load/workload.js';

/** Numbers and bytes, deterministic by seed. */
export interface RandomSource {
  /** From 0 up to but not including `limit`. */
  below(limit: number): number;
  bytes(length: number): Uint8Array;
}

export function randomSource(seed: number): RandomSource {
  const random = seededRandom(seed);
  return {
    below: (limit) => randomBelow(random, limit),
    bytes: (length) => Uint8Array.from({ length }, () => randomBelow(random, 256)),
  };
}
