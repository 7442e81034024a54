import * as v from 'valibot';
import { FarmError } from '../farm-error.js';
import { parseStatistics, StatisticsError, type StatisticsRecord } from '../statistics.js';
import { parsed } from './run-record.js';

const integer = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** A failed call, by its line in the input or, in a run of traces, the place of its transaction. */
const failureSchema = v.object({
  job: integer,
  line: integer,
  kind: v.string(),
  message: v.string(),
});

export type FailedLine = v.InferOutput<typeof failureSchema>;

const finishedSchema = v.object({
  /** sha256 of the result lines, without those of undetermined calls. */
  checksum: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  pieces: integer,
  lines: integer,
  stored_bytes: integer,
  worker: v.string(),
  node: v.string(),
  busy_ms: integer,
  statistics: v.unknown(),
  failures: v.array(failureSchema),
});

/** The record of a finished job, beside its results. */
export type FinishedJob = Omit<v.InferOutput<typeof finishedSchema>, 'statistics'> & {
  readonly statistics: StatisticsRecord;
};

/** @throws FarmError damaged */
export function parseFinished(text: string, what: string): FinishedJob {
  const record = parsed(finishedSchema, text, what);
  try {
    return { ...record, statistics: parseStatistics(record.statistics) };
  } catch (error) {
    if (!(error instanceof StatisticsError)) throw error;
    throw new FarmError('damaged', `${what}: ${error.message}`, { cause: error });
  }
}

/** @throws FarmError damaged */
export function parseFailure(text: string, what: string): FailedLine {
  return parsed(failureSchema, text, what);
}

const disagreementSchema = v.object({
  job: integer,
  workers: v.tuple([v.string(), v.string()]),
  checksums: v.tuple([v.string(), v.string()]),
  /** The first differing line of both results, cut. */
  lines: v.tuple([v.string(), v.string()]),
});

/** Two attempts at one job with differing results. The first result counts. */
export type Disagreement = v.InferOutput<typeof disagreementSchema>;

/** @throws FarmError damaged */
export function parseDisagreement(text: string, what: string): Disagreement {
  return parsed(disagreementSchema, text, what);
}
