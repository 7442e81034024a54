import {
  Histogram,
  type MetricObjectWithValues,
  type MetricType,
  type MetricValueWithName,
} from 'prom-client';

/** Upper bounds in milliseconds, ascending; one more bucket takes larger values. */
const BOUNDS_MS: readonly number[] = [
  0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 60_000,
];

/**
 * Durations by bucket. prom-client's own histogram looks up its labels for every observation, which costs more than a
 * cheap call; this one only updates two numbers.
 */
export class LatencyRecord {
  /** Observations per bucket, not cumulative. */
  readonly buckets = new Float64Array(BOUNDS_MS.length + 1);
  sumMs = 0;

  /** @param times number of calls this observation stands for */
  observe(milliseconds: number, times: number): void {
    let bucket = 0;
    while (bucket < BOUNDS_MS.length && milliseconds > (BOUNDS_MS[bucket] ?? 0)) bucket++;
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + times;
    this.sumMs += milliseconds * times;
  }
}

export type LatencyCounts = Pick<LatencyRecord, 'buckets' | 'sumMs'>;

type Exported<L extends string> = MetricObjectWithValues<MetricValueWithName<L>>;

/** Publishes {@link LatencyRecord}s, one per label value, as a Prometheus histogram in seconds. */
export class LatencyHistogram<L extends string> extends Histogram<L> {
  readonly #name: string;
  readonly #help: string;
  readonly #label: L;
  readonly #records: () => readonly (readonly [labelValue: string, record: LatencyCounts])[];

  constructor(
    name: string,
    help: string,
    label: L,
    records: () => readonly (readonly [labelValue: string, record: LatencyCounts])[],
  ) {
    super({ name, help, labelNames: [label], registers: [] });
    this.#name = name;
    this.#help = help;
    this.#label = label;
    this.#records = records;
  }

  /** Called by the registry for both the text format and JSON. */
  async getForPromString(): Promise<Exported<L>> {
    return {
      name: this.#name,
      help: this.#help,
      // prom-client declares a numeric enum, but uses strings at run time.
      type: 'histogram' as unknown as MetricType,
      values: this.#values(),
      aggregator: 'sum',
      collect: () => undefined,
    };
  }

  #values(): MetricValueWithName<L>[] {
    const values: MetricValueWithName<L>[] = [];
    for (const [labelValue, record] of this.#records()) {
      const labels = { [this.#label]: labelValue } as Record<L, string>;
      let count = 0;
      record.buckets.forEach((observations, bucket) => {
        count += observations;
        const bound = BOUNDS_MS[bucket];
        const le = bound === undefined ? '+Inf' : bound / 1000;
        values.push({ metricName: `${this.#name}_bucket`, labels: { ...labels, le }, value: count });
      });
      values.push({ metricName: `${this.#name}_sum`, labels, value: record.sumMs / 1000 });
      values.push({ metricName: `${this.#name}_count`, labels, value: count });
    }
    return values;
  }
}
