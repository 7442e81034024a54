/** A small seeded generator (xorshift32): the same seed gives the same load. Not for keys. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0 || 1;
  }

  /** An integer from 0 to `bound` − 1. */
  below(bound: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) % bound;
  }
}
