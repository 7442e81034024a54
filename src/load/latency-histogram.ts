import { createHistogram } from 'node:perf_hooks';
import type { Latencies } from './load-report.js';

/** The longest that is told apart, in microseconds: an hour. */
const HIGHEST_US = 3_600_000_000;

/** Durations in an HDR histogram, the one that Node has: constant memory, three significant figures. */
export class LatencyHistogram {
  readonly #histogram = createHistogram({ lowest: 1, highest: HIGHEST_US, figures: 3 });

  get count(): number {
    return this.#histogram.count;
  }

  /** @param ms milliseconds; counted as at least a microsecond */
  record(ms: number): void {
    this.#histogram.record(Math.min(HIGHEST_US, Math.max(1, Math.round(ms * 1_000))));
  }

  /**
   * The duration that a share stays below, in milliseconds; 0 where nothing was recorded.
   * @param percent 0 < percent ≤ 100
   */
  percentile(percent: number): number {
    return this.count === 0 ? 0 : this.#histogram.percentile(percent) / 1_000;
  }

  /** Counts what another has recorded as well. */
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
