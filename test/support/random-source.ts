import { seededRandom } from './seeded-random.js';

/** Numbers and bytes, the same for the same seed. */
export interface RandomSource {
  /** From 0 to `limit`, not included. */
  below(limit: number): number;
  bytes(length: number): Uint8Array;
}

export function randomSource(seed: number): RandomSource {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  return { below, bytes: (length) => Uint8Array.from({ length }, () => below(256)) };
}
