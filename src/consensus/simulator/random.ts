import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/** Number of initial outputs to discard, because neighboring seeds start with similar ones. */
const WARM_UP = 24;

/** The randomness of a run: the same seed gives the same numbers. */
export class Random {
  readonly #generator: RandomGenerator;

  constructor(seed: number) {
    this.#generator = xoroshiro128plus(Math.imul(seed, 0x9e3779b1) ^ (seed >>> 16));
    for (let i = 0; i < WARM_UP; i++) this.#generator.next();
  }

  /** A number in [0, 1). */
  fraction(): number {
    return (this.#generator.next() >>> 0) / 0x1_0000_0000;
  }

  /** An integer from 0 to `bound` − 1. */
  below(bound: number): number {
    return Math.floor(this.fraction() * bound);
  }

  /** An integer from `low` to `high`, inclusive. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(probability: number): boolean {
    return probability > 0 && this.fraction() < probability;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }

  /** `count` distinct integers from 0 to `bound` − 1. */
  sample(count: number, bound: number): number[] {
    const all = Array.from({ length: bound }, (_, i) => i);
    for (let i = 0; i < Math.min(count, bound); i++) {
      const j = i + this.below(bound - i);
      [all[i], all[j]] = [all[j] ?? j, all[i] ?? i];
    }
    return all.slice(0, count);
  }
}
