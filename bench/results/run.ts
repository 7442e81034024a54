import type { Figure, Series } from './figure.js';

/** The machine of a run, as far as it affects figures. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryMiB: number;
  readonly node: string;
  readonly kernel: string;
  /** µs of one ed25519 verification in one thread, before the first benchmark and after the last. */
  readonly verificationMicros: readonly [before: number, after: number];
}

export interface BenchmarkResult {
  /** Name in the catalogue. */
  readonly name: string;
  readonly seconds: number;
  /** The arguments that it ran with. */
  readonly arguments: readonly string[];
  readonly figures: readonly Figure[];
  readonly series: readonly Series[];
  /** The reason why it did not end well; its figures up to then are kept. */
  readonly failure?: string;
}

/** The JSON file of `npm run bench`. */
export interface BenchmarkRun {
  readonly format: 'heddle-bench-1';
  /** ISO 8601. */
  readonly began: string;
  readonly commit?: string;
  readonly quick: boolean;
  readonly machine: Machine;
  readonly benchmarks: readonly BenchmarkResult[];
}
