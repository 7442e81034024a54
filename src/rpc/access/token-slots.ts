import {
  drain,
  fill,
  leakTimeNs,
  monotonicNs,
  type Rate,
  type RateState,
  raiseTo,
  rateState,
} from '../../async/gcra.js';

export const TOKEN_SLOTS = 8_192;

/** Words of a slot: generation, unspent units on hand, units spent since the last {@link TokenSlots.takeSpent}. */
const WORDS = 3;
const GENERATION = 0;
const UNITS = 1;
const SPENT = 2;
const RATE_OFFSET = 4 * WORDS * TOKEN_SLOTS;

/** 64-bit words of a slot for calls: a bucket of gas and one of time, each followed by its reservations. */
const CALL_WORDS = 4;
export const GAS_BUCKET = 0;
export const TIME_BUCKET = 2;
export type CallBucket = typeof GAS_BUCKET | typeof TIME_BUCKET;
const CALL_OFFSET = RATE_OFFSET + 8 * TOKEN_SLOTS;

/** The monotonic times in nanoseconds at which a slot's buckets will be empty. */
export type SlotLevels = readonly [rate: bigint, gas: bigint, time: bigint];

/** A token's place in the shared memory. Stale once the slot has another generation. */
export interface TokenSlot {
  readonly slot: number;
  readonly generation: number;
}

/**
 * Counters of the tokens in use, in memory that all threads share. Front threads spend from it; the main thread hands
 * out slots, refills their units from the quota store, and takes slots back.
 */
export class TokenSlots {
  readonly #words: Int32Array;
  readonly #rates: BigInt64Array;
  readonly #calls: BigInt64Array;
  readonly #now: () => bigint;

  /** @param now monotonic nanoseconds, the same in all threads */
  constructor(memory: SharedArrayBuffer, now: () => bigint = monotonicNs) {
    this.#words = new Int32Array(memory, 0, WORDS * TOKEN_SLOTS);
    this.#rates = new BigInt64Array(memory, RATE_OFFSET, TOKEN_SLOTS);
    this.#calls = new BigInt64Array(memory, CALL_OFFSET, CALL_WORDS * TOKEN_SLOTS);
    this.#now = now;
  }

  /** Allocates memory that several threads can share. */
  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(CALL_OFFSET + 8 * CALL_WORDS * TOKEN_SLOTS);
  }

  isCurrent({ slot, generation }: TokenSlot): boolean {
    return Atomics.load(this.#words, WORDS * slot + GENERATION) === generation;
  }

  /** Ends the use of a slot and returns its new generation. */
  renew(slot: number): number {
    return Atomics.add(this.#words, WORDS * slot + GENERATION, 1) + 1;
  }

  /** Clears a slot before its next use. */
  clear(slot: number): void {
    Atomics.store(this.#words, WORDS * slot + UNITS, 0);
    Atomics.store(this.#words, WORDS * slot + SPENT, 0);
    Atomics.store(this.#rates, slot, 0n);
    for (let word = 0; word < CALL_WORDS; word++) Atomics.store(this.#calls, CALL_WORDS * slot + word, 0n);
  }

  /** The levels of a slot's buckets; undefined if all are empty. Reservations of running calls count as used. */
  levels({ slot }: TokenSlot): SlotLevels | undefined {
    const at = CALL_WORDS * slot;
    const levels = [
      Atomics.load(this.#rates, slot),
      Atomics.load(this.#calls, at + GAS_BUCKET),
      Atomics.load(this.#calls, at + TIME_BUCKET),
    ] as const;
    const now = this.#now();
    return levels.some((emptyAt) => emptyAt > now) ? levels : undefined;
  }

  /** Sets the levels of a cleared slot's buckets. */
  restore(slot: number, [rate, gas, time]: SlotLevels): void {
    Atomics.store(this.#rates, slot, rate);
    Atomics.store(this.#calls, CALL_WORDS * slot + GAS_BUCKET, gas);
    Atomics.store(this.#calls, CALL_WORDS * slot + TIME_BUCKET, time);
  }

  /** Charges a token unless the charge would exceed its rate. */
  chargeRate({ slot }: TokenSlot, units: number, rate: Rate): RateState {
    const ns = leakTimeNs(units, rate);
    const filled = fill(this.#rates, slot, this.#now(), ns);
    if (filled <= leakTimeNs(rate.burst, rate)) return rateState(rate, filled, 0n);
    drain(this.#rates, slot, ns);
    return rateState(rate, filled - ns, ns);
  }

  /** Charges a token for work that is done, even beyond its rate. */
  chargeWork({ slot }: TokenSlot, units: number, rate: Rate): RateState {
    return rateState(rate, fill(this.#rates, slot, this.#now(), leakTimeNs(units, rate)), 0n);
  }

  /** Fills a token's bucket up to the level in a shared quota store. @param emptyMs time until that one is empty */
  raiseRate({ slot }: TokenSlot, emptyMs: number): void {
    raiseTo(this.#rates, slot, this.#now() + BigInt(Math.ceil(emptyMs)) * 1_000_000n);
  }

  refundRate({ slot }: TokenSlot, units: number, rate: Rate): void {
    drain(this.#rates, slot, leakTimeNs(units, rate));
  }

  /**
   * Reserves gas or time for a call.
   * @returns undefined if it is reserved; otherwise the time until there is room, and whether there may be room sooner,
   *   because calls in flight use less than they have reserved
   */
  reserve(
    { slot }: TokenSlot,
    bucket: CallBucket,
    amount: number,
    rate: Rate,
  ): { readonly retryMs: number; readonly mayFitSooner: boolean } | undefined {
    const at = CALL_WORDS * slot + bucket;
    const ns = leakTimeNs(amount, rate);
    const filled = fill(this.#calls, at, this.#now(), ns);
    const full = leakTimeNs(rate.burst, rate);
    if (filled <= full) {
      Atomics.add(this.#calls, at + 1, ns);
      return undefined;
    }
    drain(this.#calls, at, ns);
    const reserved = Atomics.load(this.#calls, at + 1);
    return { retryMs: Math.ceil(Number(filled - full) / 1e6), mayFitSooner: filled - reserved <= full };
  }

  settle({ slot }: TokenSlot, bucket: CallBucket, reserved: number, used: number, rate: Rate): void {
    const at = CALL_WORDS * slot + bucket;
    const reservedNs = leakTimeNs(reserved, rate);
    const unusedNs = reservedNs - leakTimeNs(used, rate);
    Atomics.sub(this.#calls, at + 1, reservedNs);
    if (unusedNs >= 0n) drain(this.#calls, at, unusedNs);
    else fill(this.#calls, at, this.#now(), -unusedNs);
  }

  /** Spends units on hand. Returns false, and spends nothing, if there are too few. */
  spend({ slot }: TokenSlot, units: number): boolean {
    const at = WORDS * slot + UNITS;
    for (;;) {
      const known = Atomics.load(this.#words, at);
      if (known < units) return false;
      if (Atomics.compareExchange(this.#words, at, known, known - units) === known) return true;
    }
  }

  /** Records the use of a token, prepaid or not. */
  noteUse({ slot }: TokenSlot, units: number): void {
    Atomics.add(this.#words, WORDS * slot + SPENT, units);
  }

  /** Adds units on hand, from a refill or a refund; a negative number takes them, and may leave fewer than none. */
  add({ slot }: TokenSlot, units: number): void {
    Atomics.add(this.#words, WORDS * slot + UNITS, units);
  }

  unitsOf({ slot }: TokenSlot): number {
    return Atomics.load(this.#words, WORDS * slot + UNITS);
  }

  /** Takes all units on hand; negative if work was charged beyond them. */
  takeUnits({ slot }: TokenSlot): number {
    return Atomics.exchange(this.#words, WORDS * slot + UNITS, 0);
  }

  /** Units spent since the last {@link takeSpent}. */
  spentOf({ slot }: TokenSlot): number {
    return Atomics.load(this.#words, WORDS * slot + SPENT);
  }

  /** Returns the units spent since the last call, and starts again from 0. */
  takeSpent({ slot }: TokenSlot): number {
    return Atomics.exchange(this.#words, WORDS * slot + SPENT, 0);
  }
}
