import { type Client, clientOf } from './client-of.js';

/** Once half of an owner's share is taken, what is more than this part of what is left of it is refused. */
const CROWDED_PART = 1 / 16;
/** While less than this part is taken, nobody asks whose the small ones are: that costs more than they do. */
const QUIET_PART = 1 / 4;
const SMALL_BYTES = 4_096;

/** Bytes that were taken, to be given back. */
export interface Reservation {
  /** May be called again. */
  release(): void;
}

/** All that is taken for one client. */
interface Owner {
  /** Undefined: small ones of anybody. */
  readonly name: string | undefined;
  bytes: number;
}

/**
 * Bytes of what cannot be cut, such as calls on their way to a worker, counted by owner. An owner's share is as much as it
 * leaves to all others, so that there is always something left; within it the large are refused before the small.
 */
export class ByteReservations {
  readonly #limit: number;
  readonly #owners = new Map<string, Owner>();
  readonly #shared: Owner = { name: undefined, bytes: 0 };
  #reserved = 0;

  constructor(most: number) {
    this.#limit = most;
  }

  get reserved(): number {
    return this.#reserved;
  }

  /** @returns undefined, and nothing is taken, where there are too many already */
  reserve(bytes: number, client: Client): Reservation | undefined {
    const owner = this.#ownerFor(bytes, client);
    if (owner === undefined) return undefined;
    owner.bytes += bytes;
    this.#reserved += bytes;
    let isGiven = false;
    return {
      release: () => {
        if (isGiven) return;
        isGiven = true;
        owner.bytes -= bytes;
        this.#reserved -= bytes;
        if (owner.bytes === 0 && owner.name !== undefined) this.#owners.delete(owner.name);
      },
    };
  }

  #ownerFor(bytes: number, client: Client): Owner | undefined {
    if (bytes < SMALL_BYTES && (bytes === 0 || this.#reserved + bytes <= this.#limit * QUIET_PART)) {
      return this.#shared;
    }
    const name = clientOf(client);
    const known = this.#owners.get(name);
    // Whoever is alone may have as much as the limits of one request allow.
    if (this.#reserved > 0 && !this.#fits(known?.bytes ?? 0, bytes)) return undefined;
    if (known !== undefined) return known;
    const owner: Owner = { name, bytes: 0 };
    this.#owners.set(name, owner);
    return owner;
  }

  #fits(own: number, bytes: number): boolean {
    const share = (this.#limit - this.#reserved + own) / 2;
    return own + bytes <= share / 2 || bytes <= (share - own) * CROWDED_PART;
  }
}
