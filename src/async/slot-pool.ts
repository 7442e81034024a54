import { createHmac, randomFillSync } from 'node:crypto';
import type { ChargedClient } from './caller.js';
import { isWithinThreshold } from './dynamic-threshold.js';

/** Cells per row, a power of two: far more than the number of clients that hold slots at a time. */
const CELLS = 16_384;
/** Up to this share of all slots, slots are not counted per client: counting costs more than a cheap call. */
const UNCOUNTED_SHARE = 1 / 8;
const KEY_WORDS = 8;
const FIRST_CELL = 1 + KEY_WORDS;

/** A slot to give back through {@link SlotPool.release}, or negative if the client got none. */
export type Slot = number;

const NONE: Slot = -1;
/** A slot that is not counted for any client. */
const SHARED_SLOT: Slot = 0;

/**
 * A pool of slots that clients share, counted across all threads that use the same memory.
 *
 * 1. A client gets a slot while it holds at most twice as many as are free, see {@link isWithinThreshold}. A single
 *    client can take two thirds of the counted slots.
 *    While n clients take all they can get, 1/(2n+1) of the slots stay free in steady state, and a new client gets two
 *    thirds of those at once.
 * 2. The first eighth of all slots is not counted per client, so 7/8 are. Fewer than 16 slots are all counted.
 * 3. Memory does not grow with the number of clients. Each client is counted in two cells, chosen by a secret keyed
 *    hash; the smaller of the two is its count. It is never too low, and too high only if other clients share both
 *    cells.
 */
export class SlotPool {
  readonly #words: Int32Array;
  readonly #key: Buffer;
  #lastClient: string | undefined;
  #lastSlot: Slot = SHARED_SLOT;

  /** @param memory from {@link memory}; by default private to this instance */
  constructor(memory: SharedArrayBuffer = SlotPool.memory()) {
    this.#words = new Int32Array(memory);
    this.#key = Buffer.from(new Uint8Array(memory, 4, 4 * KEY_WORDS));
  }

  /** Allocates memory that several threads can share. */
  static memory(): SharedArrayBuffer {
    const memory = new SharedArrayBuffer(4 * (FIRST_CELL + 2 * CELLS));
    randomFillSync(new Uint8Array(memory, 4, 4 * KEY_WORDS));
    return memory;
  }

  get used(): number {
    return Atomics.load(this.#words, 0);
  }

  /**
   * Takes a slot. The client's name is read only once slots are counted per client.
   * @param max total number of slots, never exceeded however many threads ask at once
   * @param caller undefined for the node itself, which gets any free slot
   * @returns a negative number if the client gets none
   */
  tryAcquire(max: number, caller: ChargedClient): Slot {
    const words = this.#words;
    const used = Atomics.add(words, 0, 1);
    if (used < max * UNCOUNTED_SHARE - 1) return SHARED_SLOT;
    if (used >= max) {
      Atomics.sub(words, 0, 1);
      return NONE;
    }
    const slot = caller === undefined ? SHARED_SLOT : this.#count(max - used, caller.client);
    if (slot === NONE) Atomics.sub(words, 0, 1);
    return slot;
  }

  /**
   * Counts a slot that is in use for one more client, by the same rule. Where clients share what slots stand for, each of
   * them thus needs room for it, and may be the last that uses it.
   * @returns a negative number if the client has no room for it
   */
  tryShare(max: number, { client }: NonNullable<ChargedClient>): Slot {
    const { used } = this;
    return used < max * UNCOUNTED_SHARE ? SHARED_SLOT : this.#count(max - used, client);
  }

  /** Ends what {@link tryShare} began; the slot stays in use. */
  unshare(slot: Slot): void {
    if (slot > SHARED_SLOT) this.#add(slot, -1);
  }

  /** Takes a slot even if none is free, for a call that held one before or is already running. */
  acquire(slot: Slot = SHARED_SLOT): Slot {
    Atomics.add(this.#words, 0, 1);
    if (slot > SHARED_SLOT) this.#add(slot, 1);
    return slot;
  }

  release(slot: Slot): void {
    Atomics.sub(this.#words, 0, 1);
    this.unshare(slot);
  }

  /** Counts a slot for a client. @returns {@link NONE} if the client holds too many */
  #count(free: number, client: string): Slot {
    const slot = this.#slotOf(client);
    if (isWithinThreshold(this.#add(slot, 1), free)) return slot;
    this.#add(slot, -1);
    return NONE;
  }

  /** @returns the number of slots the client held before */
  #add(slot: Slot, count: number): number {
    const first = FIRST_CELL + ((slot - 1) % CELLS);
    const second = FIRST_CELL + CELLS + Math.floor((slot - 1) / CELLS);
    return Math.min(Atomics.add(this.#words, first, count), Atomics.add(this.#words, second, count));
  }

  /** The client's two cells, encoded as one positive number. */
  #slotOf(client: string): Slot {
    if (client === this.#lastClient) return this.#lastSlot;
    const hash = createHmac('sha256', this.#key).update(client).digest();
    const slot = 1 + (hash.readUInt32LE(0) % (CELLS * CELLS));
    this.#lastClient = client;
    this.#lastSlot = slot;
    return slot;
  }
}

export function isSlot(slot: Slot): boolean {
  return slot !== NONE;
}
