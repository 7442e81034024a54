/** Upper bounds in milliseconds, ascending; one more bucket takes larger values. */
export const BOUNDS_MS: readonly number[] = [
  0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 60_000,
];
/** Upper bounds in bytes, ascending; one more bucket takes larger values. */
export const SIZE_BOUNDS: readonly number[] = Array.from({ length: 9 }, (_, at) => 2 ** (8 + 2 * at));

/** Observations by bucket, not cumulative, and the sum of the observed values. */
export interface BucketCounts {
  readonly buckets: Float64Array;
  readonly sum: number;
}

/** Durations in milliseconds. */
export class LatencyRecord implements BucketCounts {
  readonly buckets = new Float64Array(BOUNDS_MS.length + 1);
  sum = 0;

  /** @param times number of calls that this observation represents */
  observe(milliseconds: number, times: number): void {
    let bucket = 0;
    while (bucket < BOUNDS_MS.length && milliseconds > (BOUNDS_MS[bucket] ?? 0)) bucket++;
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + times;
    this.sum += milliseconds * times;
  }
}

/** Sizes in bytes, in buckets each four times as large as the one before. Hot: two additions and no search. */
export class SizeRecord implements BucketCounts {
  readonly buckets = new Float64Array(SIZE_BOUNDS.length + 1);
  sum = 0;

  observe(bytes: number): void {
    const bits = bytes <= 1 ? 0 : 32 - Math.clz32(bytes - 1);
    const bucket = bits <= 8 ? 0 : Math.min(SIZE_BOUNDS.length, (bits - 7) >> 1);
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1;
    this.sum += bytes;
  }
}
