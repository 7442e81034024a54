/*
 * Rate limits by the generic cell rate algorithm (GCRA, ITU-T I.371), in its two equal forms. A bucket of one thread is
 * a continuous-state leaky bucket: its level falls at the rate, and a charge must not lift it above the burst. A bucket
 * in memory that threads share is scheduled virtually: it is one 64-bit word, the time in nanoseconds at which it will
 * be empty, which any number of threads may move at once.
 */
import { LRUCache } from 'lru-cache';

/** Number of keys remembered by default: more than a chain has peers. */
const MAX_KEYS = 4_096;
const NS_PER_SECOND = 1_000_000_000;

/** A sustained rate with a burst. */
export interface Rate {
  /** Units per second, above 0. */
  readonly perSecond: number;
  /** Units that a full bucket holds. */
  readonly burst: number;
}

/** A bucket of one thread. All times are milliseconds of one monotonic clock. */
export class LeakyBucket {
  readonly #rate: Rate;
  #level = 0;
  #atMs = 0;

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  /** Units in the bucket; above the burst after {@link charge}. */
  level(nowMs: number): number {
    this.#level = Math.max(0, this.#level - ((nowMs - this.#atMs) * this.#rate.perSecond) / 1_000);
    this.#atMs = nowMs;
    return this.#level;
  }

  /** Charges units unless they exceed the rate. Returns false if they do. */
  take(units: number, nowMs: number): boolean {
    if (this.level(nowMs) + units > this.#rate.burst) return false;
    this.#level += units;
    return true;
  }

  /** Charges units of work that is done, even beyond the rate. */
  charge(units: number, nowMs: number): void {
    this.#level = this.level(nowMs) + units;
  }

  /** Milliseconds until the level is at most the burst. */
  excessMs(nowMs: number): number {
    const { perSecond, burst } = this.#rate;
    return Math.max(0, ((this.level(nowMs) - burst) * 1_000) / perSecond);
  }
}

/** Buckets of one thread that share a rate, by client or peer. */
export class LeakyBuckets<Key extends number | string> {
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #buckets: LRUCache<Key, LeakyBucket>;

  /** @param now milliseconds of a monotonic clock */
  constructor(rate: Rate, now: () => number, max = MAX_KEYS) {
    this.#rate = rate;
    this.#now = now;
    this.#buckets = new LRUCache({ max });
  }

  /** See {@link LeakyBucket}; does not remember an unknown key. */
  level(key: Key): number {
    return this.#buckets.get(key)?.level(this.#now()) ?? 0;
  }

  hasRoom(key: Key): boolean {
    return this.level(key) < this.#rate.burst;
  }

  take(key: Key, units: number): boolean {
    return this.#of(key).take(units, this.#now());
  }

  charge(key: Key, units: number): void {
    this.#of(key).charge(units, this.#now());
  }

  #of(key: Key): LeakyBucket {
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      bucket = new LeakyBucket(this.#rate);
      this.#buckets.set(key, bucket);
    }
    return bucket;
  }
}

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

/** Fills the bucket `at` by `ns`. @returns the time until it is empty, in nanoseconds */
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
