import type { Quantiles } from '../generated/node-rpc-v1.js';

/** Quantiles over a sliding window of recent durations. */
export class RecentDurations {
  readonly #samples: number[] = [];
  readonly #capacity: number;
  #next = 0;

  /** @param capacity number of samples in the window */
  constructor(capacity = 512) {
    this.#capacity = capacity;
  }

  add(durationMs: number): void {
    this.#samples[this.#next] = durationMs;
    this.#next = (this.#next + 1) % this.#capacity;
  }

  /** The quantiles in whole milliseconds, rounded up; all 0 while there are no samples. */
  quantiles(): Quantiles {
    const sorted = this.#samples.toSorted((a, b) => a - b);
    const at = (share: number) =>
      Math.ceil(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
    return { p50: at(0.5), p90: at(0.9), p99: at(0.99) };
  }
}
