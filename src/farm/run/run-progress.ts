import type { RunRecord, RunState } from './run-record.js';

/** The changing facts of a run. */
export interface RunProgress {
  readonly state: RunState;
  /** Whether all jobs have been submitted. */
  readonly isSubmitted: boolean;
  /** Number of lines of the input, or of transactions, submitted so far. */
  readonly lines: number;
  readonly jobs: number;
  readonly done: number;
  readonly calls: number;
  readonly answered: number;
  readonly failed: number;
  readonly undetermined: number;
  readonly disagreements: number;
  /** Grows when finished or canceled runs get work again. */
  readonly version: number;
  readonly inputBytes: number;
  readonly resultBytes: number;
  /** Time of the latest progress of the submission, in milliseconds since 1970. */
  readonly advancedMs: number;
  /** Times of the first and the last result, in milliseconds since 1970. */
  readonly firstMs: number | undefined;
  readonly lastMs: number | undefined;
}

export interface StoredRun {
  readonly run: string;
  readonly record: RunRecord;
  readonly progress: RunProgress;
}

const STATES: readonly RunState[] = ['submitting', 'open', 'canceled', 'removed'];

/** The fields of a run's hash that change, in the order in which {@link progressOf} takes their values. */
export const PROGRESS_FIELDS = [
  ...['state', 'submitted', 'lines', 'jobs', 'done', 'calls', 'answered', 'failed', 'undetermined'],
  ...['disagreements', 'version', 'input_bytes', 'result_bytes', 'advanced_ms', 'first_ms', 'last_ms'],
] as const;

export function progressOf(values: readonly (string | null)[]): RunProgress {
  const texts = new Map<string, string | undefined>(
    PROGRESS_FIELDS.map((name, place) => [name, values[place] ?? undefined]),
  );
  const number = (name: string): number => Number(texts.get(name) ?? 0);
  const time = (name: string): number | undefined =>
    texts.get(name) === undefined ? undefined : number(name);
  const state = texts.get('state');
  return {
    state: STATES.find((known) => known === state) ?? 'submitting',
    isSubmitted: texts.get('submitted') === '1',
    lines: number('lines'),
    jobs: number('jobs'),
    done: number('done'),
    calls: number('calls'),
    answered: number('answered'),
    failed: number('failed'),
    undetermined: number('undetermined'),
    disagreements: number('disagreements'),
    version: number('version'),
    inputBytes: number('input_bytes'),
    resultBytes: number('result_bytes'),
    advancedMs: number('advanced_ms'),
    firstMs: time('first_ms'),
    lastMs: time('last_ms'),
  };
}
