import { createHmac, randomFillSync } from 'node:crypto';
import type { Client } from './caller.js';

/** Cells of one row: far more than there are clients with places at a time. A power of two. */
const CELLS = 16_384;
/** A client's places are at most this many times the free ones. */
const MAX_FREE_MULTIPLE = 2;
/** Below this part of all places nobody asks whose a place is: that costs more than a cheap call does. */
const QUIET_PART = 1 / 8;
const KEY_WORDS = 8;
const FIRST_CELL = 1 + KEY_WORDS;

/** A place, which {@link FairSlots.release} gives back; negative if none was free for the client. */
export type Slot = number;

const NONE: Slot = -1;
/** A place that counts for no client. */
const SHARED_SLOT: Slot = 0;

/**
 * Places that clients share, counted together by all threads that have the same memory.
 *
 * 1. A client gets a place while it has at most twice as many as are free: dynamic thresholds (A. K. Choudhury, E. L. Hahne,
 *    IEEE/ACM Transactions on Networking 6, 1998). One alone can take two thirds of the counted places. While n clients want all
 *    that they can get, 1/(2n+1) of them is free once places have come round, and one that comes gets two thirds of that at once.
 * 2. The first eighth of all places is given away uncounted, so 7/8 of them are counted. Fewer than 16 are all counted.
 * 3. Memory does not grow with the clients. Each is counted in two cells, found by a keyed hash that nobody outside knows; the
 *    lesser of the two is its count. That is never too low, and too high only where both cells are shared.
 */
export class FairSlots {
  readonly #words: Int32Array;
  readonly #key: Buffer;
  #lastClient: string | undefined;
  #lastSlot: Slot = SHARED_SLOT;

  /** @param memory from {@link memory}; left out, nobody else counts */
  constructor(memory: SharedArrayBuffer = FairSlots.memory()) {
    this.#words = new Int32Array(memory);
    this.#key = Buffer.from(new Uint8Array(memory, 4, 4 * KEY_WORDS));
  }

  /** For several threads. */
  static memory(): SharedArrayBuffer {
    const memory = new SharedArrayBuffer(4 * (FIRST_CELL + 2 * CELLS));
    randomFillSync(new Uint8Array(memory, 4, 4 * KEY_WORDS));
    return memory;
  }

  /** How many places are taken. */
  get used(): number {
    return Atomics.load(this.#words, 0);
  }

  /**
   * Takes a place for a client, whose name is asked for only where it matters.
   * @param most how many places there are; however many threads ask at once, no more are given
   * @param caller undefined for the node itself, which gets any free place
   * @returns a negative number where the client gets none
   */
  tryAcquire(most: number, caller: Client): Slot {
    const words = this.#words;
    const used = Atomics.add(words, 0, 1);
    if (used < most * QUIET_PART - 1) return SHARED_SLOT;
    if (used >= most) {
      Atomics.sub(words, 0, 1);
      return NONE;
    }
    if (caller === undefined) return SHARED_SLOT;
    const place = this.#slotOf(caller.client);
    if (this.#add(place, 1) <= MAX_FREE_MULTIPLE * (most - used)) return place;
    this.release(place);
    return NONE;
  }

  /** Takes a place even if none is free: for a call that had one before, or that runs already. */
  acquire(place: Slot = SHARED_SLOT): Slot {
    Atomics.add(this.#words, 0, 1);
    if (place > SHARED_SLOT) this.#add(place, 1);
    return place;
  }

  release(place: Slot): void {
    Atomics.sub(this.#words, 0, 1);
    if (place > SHARED_SLOT) this.#add(place, -1);
  }

  /** @returns how many places the client had before */
  #add(place: Slot, places: number): number {
    const first = FIRST_CELL + ((place - 1) % CELLS);
    const second = FIRST_CELL + CELLS + Math.floor((place - 1) / CELLS);
    return Math.min(Atomics.add(this.#words, first, places), Atomics.add(this.#words, second, places));
  }

  /** The client's cells, as one number above 0. */
  #slotOf(client: string): Slot {
    if (client === this.#lastClient) return this.#lastSlot;
    const hash = createHmac('sha256', this.#key).update(client).digest();
    const place = 1 + (hash.readUInt32LE(0) % (CELLS * CELLS));
    this.#lastClient = client;
    this.#lastSlot = place;
    return place;
  }
}

/** Whether a place was given. */
export function isSlot(place: Slot): boolean {
  return place !== NONE;
}
