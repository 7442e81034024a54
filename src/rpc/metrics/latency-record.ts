/** Upper bounds in milliseconds, ascending; one more bucket takes larger values. */
export const BOUNDS_MS: readonly number[] = [
  0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 60_000,
];

/** Durations by bucket. */
export class LatencyRecord {
  /** Observations per bucket, not cumulative. */
  readonly buckets = new Float64Array(BOUNDS_MS.length + 1);
  sumMs = 0;

  /** @param times number of calls that this observation represents */
  observe(milliseconds: number, times: number): void {
    let bucket = 0;
    while (bucket < BOUNDS_MS.length && milliseconds > (BOUNDS_MS[bucket] ?? 0)) bucket++;
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + times;
    this.sumMs += milliseconds * times;
  }
}

export type LatencyCounts = Pick<LatencyRecord, 'buckets' | 'sumMs'>;
