import { recordGain } from '../support/record-values.js';

/** Least speed-up with two workers, by the work's name. */
const LEAST_OF_TWO: Readonly<Record<string, number>> = {
  'calls of 1 ms, 0 % conflict': 1.7,
  'calls of 1 ms, 100 % conflict': 0.8,
  'token transfers, 0 % conflict': 1,
  'token transfers, 100 % conflict': 0.8,
  'stale predictions': 0.8,
};

/** Records how many times as fast as serially a block was executed, once for each round. */
export function recordSpeedUp(work: string, workers: number, rounds: readonly number[]): void {
  const bound = workers === 2 ? LEAST_OF_TWO[work] : undefined;
  recordGain(
    `${work}: speed-up with ${workers} workers`,
    '×',
    rounds,
    bound === undefined ? {} : { aim: { of: 'value', at: 'least', bound } },
  );
}
