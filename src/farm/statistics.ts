import * as v from 'valibot';
import { isSnakeName, NameCounts } from '../load/name-counts.js';
import { bucketOf, bucketRange, Histogram, type HistogramRecord, recordSchema } from './histogram.js';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const positive = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

const histogramSchema = v.pipe(
  recordSchema,
  v.check(
    (histogram) => isConsistent(histogram),
    'expected ascending buckets that add up to the count, from min to max',
  ),
);

const namesSchema = v.record(
  v.pipe(v.string(), v.check(isSnakeName, 'expected names in snake case')),
  positive,
);

/** Statistics of calls, as JSON. */
export const statisticsSchema = v.pipe(
  v.object({
    /** The sum of the three numbers below. */
    calls: count,
    /** Calls with a result, of any status. */
    answered: count,
    /** Calls with an error that every node would give. */
    failed: count,
    /** Calls with an error that depends on the node or the moment. */
    undetermined: count,
    /** Gas used, of the results that state it. */
    gas: histogramSchema,
    /** Time until the answer of every call, in microseconds. */
    time_us: histogramSchema,
    /** Number of results by status, such as `success`. */
    outcomes: namesSchema,
    /** Number of errors by kind, undetermined ones included. */
    errors: namesSchema,
  }),
  v.check(
    ({ calls, answered, failed, undetermined }) => calls === answered + failed + undetermined,
    'expected calls to be the sum of answered, failed and undetermined',
  ),
  v.check(
    ({ answered, outcomes, gas }) => answered === total(outcomes) && gas.count <= answered,
    'expected one outcome and at most one gas value for each answered call',
  ),
  v.check(
    ({ calls, answered, errors, time_us: time }) =>
      calls - answered === total(errors) && time.count === calls,
    'expected one error for each call without an answer, and a time for every call',
  ),
);

export type StatisticsRecord = Readonly<v.InferOutput<typeof statisticsSchema>>;

export interface AnsweredCall {
  /** The status of the result. */
  readonly outcome: string;
  readonly gas?: number | bigint;
  readonly timeUs: number;
}

export interface FailedCall {
  /** The kind of the error. */
  readonly error: string;
  /** True if another try could give a result. */
  readonly undetermined: boolean;
  readonly timeUs: number;
}

/** Counts calls. Memory is bounded, and the counts of several machines can be added up. */
export class CallStatistics {
  readonly #gas = new Histogram();
  readonly #time = new Histogram();
  readonly #outcomes = new NameCounts(isSnakeName);
  readonly #errors = new NameCounts(isSnakeName);
  #answered = 0;
  #failed = 0;
  #undetermined = 0;

  get calls(): number {
    return this.#answered + this.#failed + this.#undetermined;
  }

  add(call: AnsweredCall | FailedCall): void {
    this.#time.record(call.timeUs);
    if ('outcome' in call) {
      this.#answered++;
      this.#outcomes.add(call.outcome, 1);
      if (call.gas !== undefined) this.#gas.record(Number(call.gas));
      return;
    }
    if (call.undetermined) this.#undetermined++;
    else this.#failed++;
    this.#errors.add(call.error, 1);
  }

  /** @param record a valid record; one from another process must have passed {@link statisticsSchema} */
  merge(record: StatisticsRecord): void {
    this.#answered += record.answered;
    this.#failed += record.failed;
    this.#undetermined += record.undetermined;
    this.#gas.merge(record.gas);
    this.#time.merge(record.time_us);
    for (const [name, count] of Object.entries(record.outcomes)) this.#outcomes.add(name, count);
    for (const [name, count] of Object.entries(record.errors)) this.#errors.add(name, count);
  }

  toRecord(): StatisticsRecord {
    return {
      calls: this.calls,
      answered: this.#answered,
      failed: this.#failed,
      undetermined: this.#undetermined,
      gas: this.#gas.toRecord(),
      time_us: this.#time.toRecord(),
      outcomes: this.#outcomes.toRecord(),
      errors: this.#errors.toRecord(),
    };
  }
}

function isConsistent({ count: all, min, max, buckets }: HistogramRecord): boolean {
  const first = buckets[0]?.[0];
  const last = buckets.at(-1)?.[0];
  if (first === undefined || last === undefined) return all === 0 && min === 0 && max === 0;
  return (
    buckets.every(([number], at) => at === 0 || number > (buckets[at - 1]?.[0] ?? 0)) &&
    buckets.reduce((sum, [, more]) => sum + more, 0) === all &&
    bucketOf(min) === first &&
    bucketOf(max) === last &&
    min <= max &&
    bucketRange(first)[0] <= min
  );
}

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, more) => sum + more, 0);
}
