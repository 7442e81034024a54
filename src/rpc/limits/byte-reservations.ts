import { type Client, clientOf } from './client-of.js';

/** Once half of an owner's share is used, requests for more than this part of the rest are refused. */
const CROWDED_PART = 1 / 16;
/** Below this share of the limit, small reservations are not counted by owner: counting costs more than they do. */
const UNCOUNTED_SHARE = 1 / 4;
const SMALL_BYTES = 4_096;

export interface Reservation {
  /** Returns the bytes; idempotent. */
  release(): void;
}

interface Owner {
  /** Undefined for small reservations shared by all clients. */
  readonly name: string | undefined;
  bytes: number;
}

/**
 * Reservations of memory that cannot be reclaimed, such as calls on their way to a worker, counted by owner. An owner
 * may use at most as much as it leaves to all others, so that some memory always remains. Within an owner's share,
 * large requests are refused before small ones.
 */
export class ByteReservations {
  readonly #limit: number;
  readonly #owners = new Map<string, Owner>();
  readonly #shared: Owner = { name: undefined, bytes: 0 };
  #reserved = 0;

  constructor(max: number) {
    this.#limit = max;
  }

  get reserved(): number {
    return this.#reserved;
  }

  /** @returns undefined if the owner's share or the limit is exhausted */
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
    if (bytes < SMALL_BYTES && (bytes === 0 || this.#reserved + bytes <= this.#limit * UNCOUNTED_SHARE)) {
      return this.#shared;
    }
    const name = clientOf(client);
    const known = this.#owners.get(name);
    // A sole user may reserve as much as the limits of a single request allow.
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
