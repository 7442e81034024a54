import { monotonicNs } from '../../async/gcra.js';
import { TOKEN_SLOTS, type TokenSlot } from './token-slots.js';

/** A slot holds two leases: the remainder of an earlier one, and the latest. Each keeps its own expiry. */
const LEASES = 2;
const UNITS_OFFSET = 8 * LEASES * TOKEN_SLOTS;
const FLAGS_OFFSET = UNITS_OFFSET + 4 * LEASES * TOKEN_SLOTS;
const AWAY = 0;
const REFUSALS = 1;
const FLAGS = 2;

/**
 * Rate units that this node has leased from a shared quota store, and whether the store is away, in memory that all
 * threads share. The main thread puts leases; front threads spend from them.
 */
export class RateLeases {
  readonly #expiries: BigInt64Array;
  readonly #units: Int32Array;
  readonly #flags: Int32Array;
  readonly #now: () => bigint;

  /** @param now monotonic nanoseconds, the same in all threads */
  constructor(memory: SharedArrayBuffer, now: () => bigint = monotonicNs) {
    this.#expiries = new BigInt64Array(memory, 0, LEASES * TOKEN_SLOTS);
    this.#units = new Int32Array(memory, UNITS_OFFSET, LEASES * TOKEN_SLOTS);
    this.#flags = new Int32Array(memory, FLAGS_OFFSET, FLAGS);
    this.#now = now;
  }

  /** Allocates memory that several threads can share. */
  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(FLAGS_OFFSET + 4 * FLAGS);
  }

  /** Whether the shared quota store does not answer. */
  get isAway(): boolean {
    return Atomics.load(this.#flags, AWAY) === 1;
  }

  set isAway(isAway: boolean) {
    Atomics.store(this.#flags, AWAY, isAway ? 1 : 0);
  }

  /** Number of calls refused because the store is away, modulo 2³². */
  get refusals(): number {
    return Atomics.load(this.#flags, REFUSALS) >>> 0;
  }

  countRefusal(): void {
    Atomics.add(this.#flags, REFUSALS, 1);
  }

  /** Spends leased units, the older ones first. Returns false, and spends nothing, if there are too few. */
  spend(slot: TokenSlot, units: number): boolean {
    const [older, newer] = this.#cells(slot);
    const fromOlder = this.#takeUpTo(older, units);
    const fromNewer = this.#takeUpTo(newer, units - fromOlder);
    if (fromOlder + fromNewer === units) return true;
    Atomics.add(this.#units, older, fromOlder);
    Atomics.add(this.#units, newer, fromNewer);
    return false;
  }

  /** Undoes a {@link spend}. */
  refund(slot: TokenSlot, units: number): void {
    // The older one may have ended.
    Atomics.add(this.#units, this.#cells(slot)[1], units);
  }

  unitsOf(slot: TokenSlot): number {
    return this.#cells(slot).reduce((sum, cell) => sum + this.#valid(cell), 0);
  }

  /** Adds a lease in place of the older one. @param expiresNs see {@link monotonicNs} */
  put(slot: TokenSlot, units: number, expiresNs: bigint): void {
    const [older] = this.#cells(slot);
    Atomics.store(this.#units, older, 0);
    Atomics.store(this.#expiries, older, expiresNs);
    Atomics.store(this.#units, older, units);
  }

  clear({ slot }: TokenSlot): void {
    for (let cell = LEASES * slot; cell < LEASES * (slot + 1); cell++) {
      Atomics.store(this.#units, cell, 0);
      Atomics.store(this.#expiries, cell, 0n);
    }
  }

  #cells({ slot }: TokenSlot): readonly [older: number, newer: number] {
    const first = LEASES * slot;
    const isInOrder = Atomics.load(this.#expiries, first) <= Atomics.load(this.#expiries, first + 1);
    return isInOrder ? [first, first + 1] : [first + 1, first];
  }

  #valid(cell: number): number {
    return Atomics.load(this.#expiries, cell) > this.#now() ? Atomics.load(this.#units, cell) : 0;
  }

  #takeUpTo(cell: number, most: number): number {
    for (;;) {
      const taken = Math.min(most, this.#valid(cell));
      if (taken <= 0) return 0;
      const known = Atomics.load(this.#units, cell);
      if (known < taken) continue;
      if (Atomics.compareExchange(this.#units, cell, known, known - taken) === known) return taken;
    }
  }
}
