import type { StatisticsRecord } from './statistics.js';

/** Summary of a run, finished or not. */
export interface RunSummary {
  readonly run: string;
  readonly kind: 'calls' | 'traces';
  readonly submitted_ms: number;
  /** Time of the first result. */
  readonly first_ms?: number;
  /** Absent while the run is not at its end. */
  readonly finished_ms?: number;
  /** Where the calls come from, such as a file's name. */
  readonly source: string;
  /** The states that the calls ran on; the first ones, if there are many. */
  readonly pins: readonly { readonly height: string; readonly block_hash: string; readonly calls: number }[];
  readonly statistics: StatisticsRecord;
  readonly workers: readonly RunWorker[];
  /** A sample of the failed calls. */
  readonly failures: readonly { readonly line: number; readonly kind: string; readonly message: string }[];
  /** Jobs whose results differ between workers. */
  readonly disagreements: readonly RunDisagreement[];
}

export interface RunWorker {
  readonly name: string;
  readonly node: string;
  readonly jobs: number;
  readonly calls: number;
  /** Time spent on jobs. */
  readonly busy_ms: number;
}

export interface RunDisagreement {
  readonly job: number;
  /** The lines of the job, such as `1–500`. */
  readonly lines: string;
  readonly workers: readonly string[];
  readonly checksums: readonly string[];
}
