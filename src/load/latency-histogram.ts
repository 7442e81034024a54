import { createHistogram } from 'node:perf_hooks';
import type { Latencies } from './load-report.js';

/** Longest recorded duration, in microseconds: one hour. */
const HIGHEST_US = 3_600_000_000;

/** Durations in Node's HDR histogram: constant memory, three significant figures. */
export class LatencyHistogram {
  readonly #histogram = createHistogram({ lowest: 1, highest: HIGHEST_US, figures: 3 });

  get count(): number {
    return this.#histogram.count;
  }

  /** @param ms milliseconds; recorded as at least one microsecond */
  record(ms: number): void {
    this.#histogram.record(Math.min(HIGHEST_US, Math.max(1, Math.round(ms * 1_000))));
  }

  /**
   * The percentile in milliseconds; 0 if nothing was recorded.
   * @param percent 0 < percent ≤ 100
   */
  percentile(percent: number): number {
    return this.count === 0 ? 0 : this.#histogram.percentile(percent) / 1_000;
  }

  /** Adds the durations of another histogram. */
  add(other: LatencyHistogram): void {
    this.#histogram.add(other.#histogram);
  }

  latencies(): Latencies {
    return {
      count: this.count,
      mean: this.count === 0 ? 0 : this.#histogram.mean / 1_000,
      p50: this.percentile(50),
      p90: this.percentile(90),
      p99: this.percentile(99),
      p999: this.percentile(99.9),
      max: this.count === 0 ? 0 : this.#histogram.max / 1_000,
    };
  }
}
