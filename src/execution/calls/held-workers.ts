import { randomFillSync } from 'node:crypto';

const COUNT = 0;
const SEED = 1;
const FIRST = 2;
/** Maximum number of workers that one scheduler can hold. */
const MAX_WORKERS = 256;
const FREE = 0;
const FNV_PRIME = 0x01000193;

/** Number of 32-bit words that {@link HeldWorkers} needs for this many schedulers. */
export function heldWords(schedulers: number): number {
  return FIRST + schedulers * MAX_WORKERS;
}

/** Chooses the seed of new memory. */
export function seedHeldWords(words: Int32Array): void {
  randomFillSync(words, SEED, 1);
}

/**
 * The clients that hold workers because their calls take long, or may, across all schedulers that share the workers.
 * Clients are compared by a seeded hash of 32 bits. On a collision, each waits for the other's worker.
 */
export class HeldWorkers {
  readonly #words: Int32Array;
  readonly #first: number;
  readonly #seed: number;

  /** @param words {@link heldWords} words, shared by all schedulers @param place index of the scheduler */
  constructor(words: Int32Array, place: number) {
    this.#words = words;
    this.#first = FIRST + place * MAX_WORKERS;
    this.#seed = words[SEED] ?? 0;
  }

  /** Number of workers held by any client. */
  get count(): number {
    return Atomics.load(this.#words, COUNT);
  }

  countOf(client: string): number {
    if (this.count === 0) return 0;
    const hash = this.#hash(client);
    let count = 0;
    for (let at = FIRST; at < this.#words.length; at++) if (Atomics.load(this.#words, at) === hash) count++;
    return count;
  }

  /** Returns a predicate for clients that hold a worker now; cheaper than {@link countOf} for many clients. */
  holdsWorker(): (client: string) => boolean {
    if (this.count === 0) return () => false;
    const hashes = new Set<number>();
    for (let at = FIRST; at < this.#words.length; at++) hashes.add(Atomics.load(this.#words, at));
    return (client) => hashes.has(this.#hash(client));
  }

  /** @returns the argument for {@link release} */
  hold(client: string): number {
    const words = this.#words;
    for (let at = this.#first; at < this.#first + MAX_WORKERS; at++) {
      if (words[at] !== FREE) continue;
      Atomics.store(words, at, this.#hash(client));
      Atomics.add(words, COUNT, 1);
      return at;
    }
    throw new Error(`a scheduler already holds ${MAX_WORKERS} workers`);
  }

  release(held: number): void {
    Atomics.store(this.#words, held, FREE);
    Atomics.sub(this.#words, COUNT, 1);
  }

  /** FNV-1a with a seed; never {@link FREE}. */
  #hash(client: string): number {
    let hash = this.#seed;
    for (let at = 0; at < client.length; at++) hash = Math.imul(hash ^ client.charCodeAt(at), FNV_PRIME);
    return hash === FREE ? 1 : hash;
  }
}
