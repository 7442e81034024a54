/*
 * Leaky buckets in shared memory, after the generic cell rate algorithm (ITU-T I.371): a bucket is one 64-bit word, the
 * time in nanoseconds at which it will be empty. Any number of threads may use it at once.
 */

const NS_PER_SECOND = 1_000_000_000;

/** A sustained rate with a burst. */
export interface Rate {
  /** Units per second, above 0. */
  readonly perSecond: number;
  /** Units that a full bucket holds. */
  readonly burst: number;
}

/** A bucket's state after a charge was taken or refused. */
export interface RateState {
  readonly isAllowed: boolean;
  /** Units that may be used at once now. */
  readonly remaining: number;
  /** Milliseconds until the refused charge fits; 0 if it was taken. */
  readonly retryMs: number;
  /** Milliseconds until the bucket is empty again. */
  readonly resetMs: number;
}

/** Monotonic time in nanoseconds, the same in all threads of the process. */
export function monotonicNs(): bigint {
  return process.hrtime.bigint();
}

/** Time in nanoseconds for a bucket to leak `units`, rounded up so that the rate is never exceeded. */
export function leakTimeNs(units: number, { perSecond }: Rate): bigint {
  return BigInt(Math.ceil((units * NS_PER_SECOND) / perSecond));
}

/**
 * Fills a bucket.
 * @param words one word for each bucket
 * @param at index of the bucket
 * @param nowNs from {@link monotonicNs}
 * @param ns from {@link leakTimeNs}
 * @returns the time until the bucket is empty, in nanoseconds
 */
export function fill(words: BigInt64Array, at: number, nowNs: bigint, ns: bigint): bigint {
  for (;;) {
    const known = Atomics.load(words, at);
    const emptyAt = (known > nowNs ? known : nowNs) + ns;
    if (Atomics.compareExchange(words, at, known, emptyAt) === known) return emptyAt - nowNs;
  }
}

/** Undoes a {@link fill}. */
export function drain(words: BigInt64Array, at: number, ns: bigint): void {
  Atomics.sub(words, at, ns);
}

/** Fills a bucket until it is empty no earlier than `emptyAtNs`; a fuller one stays as it is. */
export function raiseTo(words: BigInt64Array, at: number, emptyAtNs: bigint): void {
  for (;;) {
    const known = Atomics.load(words, at);
    if (known >= emptyAtNs || Atomics.compareExchange(words, at, known, emptyAtNs) === known) return;
  }
}

/** The time at which a bucket is empty, at least now. */
export function emptyTime(words: BigInt64Array, at: number, nowNs: bigint): bigint {
  const known = Atomics.load(words, at);
  return known > nowNs ? known : nowNs;
}

/**
 * Raises a bucket to a level that was counted elsewhere, if that is higher. Charges since the count began are kept.
 * @param sinceNs its {@link emptyTime} when the count began
 * @param toNs the time at which it would be empty without charges since then
 */
export function raise(words: BigInt64Array, at: number, sinceNs: bigint, toNs: bigint): void {
  for (;;) {
    const known = Atomics.load(words, at);
    const emptyAt = known > sinceNs ? toNs + known - sinceNs : toNs;
    if (emptyAt <= known || Atomics.compareExchange(words, at, known, emptyAt) === known) return;
  }
}

/**
 * The state of a bucket.
 * @param filledNs time until it is empty, without a refused charge
 * @param refusedNs the refused charge, or 0
 */
export function rateState(rate: Rate, filledNs: bigint, refusedNs: bigint): RateState {
  const fullNs = leakTimeNs(rate.burst, rate);
  const overNs = filledNs + refusedNs - fullNs;
  const isAllowed = refusedNs === 0n;
  return {
    isAllowed,
    remaining: Math.max(0, Math.floor((Number(fullNs - filledNs) * rate.perSecond) / NS_PER_SECOND)),
    retryMs: isAllowed ? 0 : Math.max(1, Math.ceil(Number(overNs) / 1e6)),
    resetMs: Math.max(0, Math.ceil(Number(filledNs) / 1e6)),
  };
}
