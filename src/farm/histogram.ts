import * as v from 'valibot';

/** Buckets per power of two. A bucket's middle is within 1/32 of all its values. */
const PER_OCTAVE = 16;

/** Number of bits that select a bucket within its power of two. */
const BITS = 4;

/** The bucket of the largest safe integer. */
const LAST_BUCKET: number = bucketOf(Number.MAX_SAFE_INTEGER);

const integer = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** A histogram as JSON. */
export const recordSchema = v.object({
  count: integer,
  sum: v.pipe(v.number(), v.finite(), v.minValue(0)),
  /** Smallest value, exact; 0 if nothing was recorded. */
  min: integer,
  /** Largest value, exact; 0 if nothing was recorded. */
  max: integer,
  /** Bucket numbers with their counts, ascending, without empty buckets. */
  buckets: v.pipe(
    v.array(v.strictTuple([v.pipe(integer, v.maxValue(LAST_BUCKET)), v.pipe(integer, v.minValue(1))])),
    v.maxLength(LAST_BUCKET + 1),
  ),
});

export type HistogramRecord = Readonly<v.InferOutput<typeof recordSchema>>;

/** First and last integer of a bucket. */
export function bucketRange(bucket: number): readonly [first: number, last: number] {
  if (bucket < PER_OCTAVE) return [bucket, bucket];
  const octave = Math.floor(bucket / PER_OCTAVE) - 1;
  const width = 2 ** octave;
  const first = (PER_OCTAVE + (bucket % PER_OCTAVE)) * width;
  return [first, first + width - 1];
}

/** The number of a value's bucket: linear up to 16, then 16 buckets to a power of two. */
export function bucketOf(value: number): number {
  if (value < PER_OCTAVE) return value;
  const highest = value < 2 ** 32 ? 31 - Math.clz32(value) : 63 - Math.clz32(value / 2 ** 32);
  const octave = highest - BITS;
  return octave * PER_OCTAVE + Math.floor(value / 2 ** octave);
}

/** Counts of integers from 0 to 2^53 - 1 in log-linear buckets, which converts to JSON and back. */
export class Histogram {
  readonly #buckets = new Map<number, number>();
  #sum = 0;
  #min = Number.POSITIVE_INFINITY;
  count = 0;
  max = 0;

  static of(record: HistogramRecord): Histogram {
    const histogram = new Histogram();
    histogram.merge(record);
    return histogram;
  }

  get min(): number {
    return this.count === 0 ? 0 : this.#min;
  }

  /** 0 if nothing was recorded. */
  get mean(): number {
    return this.count === 0 ? 0 : this.#sum / this.count;
  }

  /** @param value rounded, and brought into the range that can be counted; NaN counts as 0 */
  record(value: number): void {
    const whole = Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.round(value) || 0));
    this.#add(bucketOf(whole), 1);
    this.count++;
    this.#sum += whole;
    this.#min = Math.min(this.#min, whole);
    this.max = Math.max(this.max, whole);
  }

  merge({ count, sum, min, max, buckets }: HistogramRecord): void {
    if (count === 0) return;
    for (const [bucket, more] of buckets) this.#add(bucket, more);
    this.count += count;
    this.#sum += sum;
    this.#min = Math.min(this.#min, min);
    this.max = Math.max(this.max, max);
  }

  /**
   * The least and the most that the value can be which a share of all values, from 0 to 1, does not exceed: equal if
   * it is known exactly, and otherwise the ends of a bucket. Both are 0 if nothing was recorded.
   */
  quantileRange(share: number): readonly [least: number, most: number] {
    const { min, max, count: all } = this;
    const rank = Math.max(1, Math.ceil(share * all));
    if (rank >= all) return [max, max];
    if (rank === 1) return [min, min];
    let seen = 0;
    for (const [bucket, count] of this.#sorted()) {
      seen += count;
      if (seen < rank) continue;
      const [first, last] = bucketRange(bucket);
      return [Math.max(min, first), Math.min(max, last)];
    }
    return [max, max];
  }

  toRecord(): HistogramRecord {
    const { count, min, max } = this;
    return { count, sum: this.#sum, min, max, buckets: this.#sorted() };
  }

  #add(bucket: number, count: number): void {
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + count);
  }

  #sorted(): [bucket: number, count: number][] {
    return [...this.#buckets].sort(([a], [b]) => a - b);
  }
}
