import type { RememberedDeparture } from './pool-types.js';

/** The last so many transactions that left without being included, and why. The oldest is forgotten first. */
export class DepartureMemory {
  readonly #capacity: number;
  readonly #byHash = new Map<string, RememberedDeparture>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(hashHex: string): RememberedDeparture | undefined {
    return this.#byHash.get(hashHex);
  }

  remember(hashHex: string, departure: RememberedDeparture): void {
    this.#byHash.delete(hashHex);
    this.#byHash.set(hashHex, departure);
    if (this.#byHash.size <= this.#capacity) return;
    for (const oldest of this.#byHash.keys()) {
      this.#byHash.delete(oldest);
      return;
    }
  }

  /** For a transaction that came back. */
  forget(hashHex: string): void {
    this.#byHash.delete(hashHex);
  }
}
