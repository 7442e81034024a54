import { randomFillSync } from 'node:crypto';

const COUNT = 0;
const SEED = 1;
const FIRST = 2;
/** Workers that one scheduler can have at a time. */
const MOST_WORKERS = 256;
const FREE = 0;
const FNV_PRIME = 0x01000193;

/** How many 32-bit words {@link HeldWorkers} takes for this many schedulers. */
export function heldWords(schedulers: number): number {
  return FIRST + schedulers * MOST_WORKERS;
}

/** Chooses the seed of new memory. */
export function seedHeldWords(words: Int32Array): void {
  randomFillSync(words, SEED, 1);
}

/**
 * Which clients hold workers with calls that take long, or may take long; of all schedulers that share the workers. Clients are
 * compared by a seeded hash of 32 bits. Two with the same hash count as one: each then waits for the other's worker.
 */
export class HeldWorkers {
  readonly #words: Int32Array;
  readonly #first: number;
  readonly #seed: number;

  /**
   * @param words {@link heldWords} of them, the same memory for all schedulers
   * @param place of the scheduler, counted from 0
   */
  constructor(words: Int32Array, place: number) {
    this.#words = words;
    this.#first = FIRST + place * MOST_WORKERS;
    this.#seed = words[SEED] ?? 0;
  }

  /** How many workers are held, by anybody. */
  get count(): number {
    return Atomics.load(this.#words, COUNT);
  }

  /** How many workers a client holds. */
  countOf(client: string): number {
    if (this.count === 0) return 0;
    const hash = this.#hash(client);
    let count = 0;
    for (let at = FIRST; at < this.#words.length; at++) if (Atomics.load(this.#words, at) === hash) count++;
    return count;
  }

  /** Says of a client whether it holds a worker now; cheaper than {@link countOf} for many. */
  holdsWorker(): (client: string) => boolean {
    if (this.count === 0) return () => false;
    const hashes = new Set<number>();
    for (let at = FIRST; at < this.#words.length; at++) hashes.add(Atomics.load(this.#words, at));
    return (client) => hashes.has(this.#hash(client));
  }

  /** @returns what {@link release} takes */
  hold(client: string): number {
    const words = this.#words;
    for (let at = this.#first; at < this.#first + MOST_WORKERS; at++) {
      if (words[at] !== FREE) continue;
      Atomics.store(words, at, this.#hash(client));
      Atomics.add(words, COUNT, 1);
      return at;
    }
    throw new Error(`a scheduler holds ${MOST_WORKERS} workers already`);
  }

  release(held: number): void {
    Atomics.store(this.#words, held, FREE);
    Atomics.sub(this.#words, COUNT, 1);
  }

  /** FNV-1a, from the seed on; never {@link FREE}. */
  #hash(client: string): number {
    let hash = this.#seed;
    for (let at = 0; at < client.length; at++) hash = Math.imul(hash ^ client.charCodeAt(at), FNV_PRIME);
    return hash === FREE ? 1 : hash;
  }
}
