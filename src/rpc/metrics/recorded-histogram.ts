import {
  Histogram,
  type MetricObjectWithValues,
  type MetricType,
  type MetricValueWithName,
} from 'prom-client';
import type { BucketCounts } from './bucket-records.js';

type Exported = MetricObjectWithValues<MetricValueWithName<string>>;

/** The observations of one series; the sum is in the exported unit. */
export interface Recorded extends BucketCounts {
  readonly labels: Readonly<Record<string, string>>;
}

export interface RecordedHistogramOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  /** Upper bounds in the exported unit, ascending; a record has one more bucket. */
  readonly bounds: readonly number[];
  readonly records: () => readonly Recorded[];
}

/**
 * Publishes records as a Prometheus histogram. prom-client's own histogram looks up its labels for every observation,
 * which costs more than a cheap call; a record only updates two numbers.
 */
export class RecordedHistogram extends Histogram<string> {
  readonly #options: RecordedHistogramOptions;

  constructor(options: RecordedHistogramOptions) {
    const { name, help, labelNames } = options;
    super({ name, help, labelNames, registers: [] });
    this.#options = options;
  }

  /** Called by the registry for both the text format and JSON. */
  async getForPromString(): Promise<Exported> {
    const { name, help } = this.#options;
    return {
      name,
      help,
      // prom-client declares a numeric enum, but uses strings at run time.
      type: 'histogram' as unknown as MetricType,
      values: this.#values(),
      aggregator: 'sum',
      collect: () => undefined,
    };
  }

  #values(): MetricValueWithName<string>[] {
    const { name, bounds } = this.#options;
    const values: MetricValueWithName<string>[] = [];
    for (const { labels, buckets, sum } of this.#options.records()) {
      let count = 0;
      buckets.forEach((observations, bucket) => {
        count += observations;
        const le = bounds[bucket] ?? '+Inf';
        values.push({ metricName: `${name}_bucket`, labels: { ...labels, le }, value: count });
      });
      values.push({ metricName: `${name}_sum`, labels, value: sum });
      values.push({ metricName: `${name}_count`, labels, value: count });
    }
    return values;
  }
}
