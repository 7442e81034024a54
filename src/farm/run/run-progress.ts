import type { RunRecord, RunState } from './run-record.js';

const STATES: readonly RunState[] = ['submitting', 'open', 'canceled', 'removed'];

/** Numbers of a run's hash, 0 at first. */
const NUMBERS = [
  // Lines of the input, or transactions, submitted so far.
  'lines',
  'jobs',
  'done',
  'calls',
  'answered',
  'failed',
  'undetermined',
  'disagreements',
  // Grows when finished or canceled runs get work again.
  'version',
  'input_bytes',
  'result_bytes',
  // Time of the latest progress of the submission, in milliseconds since 1970.
  'advanced_ms',
] as const;

/** The fields of a run's hash that change, in the order in which {@link progressOf} takes their values. */
export const PROGRESS_FIELDS = [...NUMBERS, 'state', 'submitted', 'first_ms', 'last_ms'] as const;

export interface RunProgress extends Readonly<Record<(typeof NUMBERS)[number], number>> {
  readonly state: RunState;
  /** Whether all jobs have been submitted. */
  readonly isSubmitted: boolean;
  /** Times of the first and the last result, in milliseconds since 1970. */
  readonly first_ms: number | undefined;
  readonly last_ms: number | undefined;
}

export interface StoredRun {
  readonly run: string;
  readonly record: RunRecord;
  readonly progress: RunProgress;
}

export function progressOf(values: readonly (string | null)[]): RunProgress {
  const [state, submitted, first, last] = values.slice(NUMBERS.length);
  const numbers = NUMBERS.map((name, place) => [name, Number(values[place] ?? 0)]);
  const time = (text: string | null | undefined) => (text == null ? undefined : Number(text));
  return {
    ...(Object.fromEntries(numbers) as Record<(typeof NUMBERS)[number], number>),
    state: STATES.find((known) => known === state) ?? 'submitting',
    isSubmitted: submitted === '1',
    first_ms: time(first),
    last_ms: time(last),
  };
}
