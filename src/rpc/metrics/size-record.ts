/** Upper bounds in bytes, ascending; one more bucket takes larger values. */
export const SIZE_BOUNDS: readonly number[] = Array.from({ length: 9 }, (_, at) => 2 ** (8 + 2 * at));

/** Sizes by bucket, each four times as large as the one before. Hot: two additions and no search. */
export class SizeRecord {
  /** Observations per bucket, not cumulative. */
  readonly buckets = new Float64Array(SIZE_BOUNDS.length + 1);
  sum = 0;

  observe(bytes: number): void {
    const bits = bytes <= 1 ? 0 : 32 - Math.clz32(bytes - 1);
    const bucket = bits <= 8 ? 0 : Math.min(SIZE_BOUNDS.length, (bits - 7) >> 1);
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1;
    this.sum += bytes;
  }
}
