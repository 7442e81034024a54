import type { Figure, Series } from '../../bench/results/figure.js';
import type { BenchmarkRun } from '../../bench/results/run.js';

/** A run with one benchmark, `codecs` unless named. */
export function sampleRun(
  figures: readonly Figure[],
  series: readonly Series[] = [],
  name = 'codecs',
): BenchmarkRun {
  return {
    format: 'heddle-bench-1',
    began: '2026-01-31T12:34:56.000Z',
    commit: '0123abcd',
    quick: false,
    machine: {
      processor: 'Some CPU',
      cores: 2,
      memoryMiB: 8_192,
      node: 'v20.0.0',
      kernel: 'Linux 6.1',
      verificationMicros: [37.5, 38.25],
    },
    benchmarks: [{ name, seconds: 1, arguments: [], figures, series }],
  };
}

export function figure(name: string, rounds: readonly number[], more: Partial<Figure> = {}): Figure {
  return { name, unit: 'µs', better: 'lower', rounds, ...more };
}
