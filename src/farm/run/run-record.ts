import * as v from 'valibot';
import { errorMessage } from '../../base/errors.js';
import { FarmError } from '../farm-error.js';
import { statisticsSchema } from '../statistics.js';

const integer = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const height = v.pipe(v.string(), v.regex(/^\d{1,20}$/));
const blockHash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

/** A block whose state the calls of a job see. */
const pinSchema = v.object({ height, hash: blockHash });

/** @property height decimal @property hash 64 lowercase hex digits */
export type Pin = v.InferOutput<typeof pinSchema>;

export const recordSchema = v.object({
  version: v.literal(1),
  /** Tells runs of one name apart, as a new one after its removal. */
  id: v.string(),
  kind: v.picklist(['calls', 'traces']),
  chain_id: height,
  /** Where the calls come from, for people. */
  source: v.string(),
  created_ms: integer,
  /** The block at which the calls run that name none; for traces, the last block. */
  pin: pinSchema,
  /** sha256 of the calls' text; for resuming the submission. */
  input_sha256: v.optional(blockHash),
  /** Estimated time per call in microseconds, by method; decides where jobs are cut. */
  costs_us: v.optional(v.record(v.string(), v.number())),
  /** Estimated time that the jobs aim at, in microseconds. */
  length_us: v.optional(v.number()),
  /** JSON text: an array of state overrides for each call. */
  overrides: v.optional(v.string()),
  tracers: v.optional(v.array(v.string())),
  /** First and last block of a run of traces. */
  blocks: v.optional(v.object({ from: height, to: height })),
  /** Every how many jobs one runs a second time, as a check of the workers. */
  audit: v.optional(integer),
});

/** The unchanging facts of a run. */
export type RunRecord = v.InferOutput<typeof recordSchema>;

export const jobSchema = v.object({
  job: integer,
  /** Number of lines, or the expected number of transactions. */
  count: integer,
  /** For calls: the first line, counted from 1, and the block whose state they see. */
  calls: v.optional(v.object({ first: integer, pin: pinSchema })),
  /** For traces: the blocks; and the places of the first and last transaction if it is a part of one block. */
  traces: v.optional(
    v.object({
      from: height,
      to: height,
      places: v.optional(v.object({ first: integer, last: integer })),
    }),
  ),
});

/** The data of a job, in the queue and beside it. */
export type JobData = v.InferOutput<typeof jobSchema>;

/** `removed`: it is being deleted, or was when that was interrupted. */
export type RunState = 'submitting' | 'open' | 'canceled' | 'removed';

/** Parses JSON from Redis. @throws FarmError damaged */
export function parsed<Schema extends v.GenericSchema>(
  schema: Schema,
  text: string,
  what: string,
): v.InferOutput<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new FarmError('damaged', `${what}: expected JSON: ${errorMessage(error)}`, { cause: error });
  }
  return checked(schema, value, what);
}

/** Checks a value from Redis. @throws FarmError damaged */
export function checked<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  what: string,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new FarmError(
    'damaged',
    `${what}: ${v.getDotPath(issue) ?? 'the whole'}: ${issue.message}; it was written by another version`,
  );
}

const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** @throws FarmError bad_input */
export function expectRunName(name: string): string {
  if (NAME.test(name)) return name;
  throw new FarmError(
    'bad_input',
    `expected the name of a run: up to 64 lowercase letters, digits and dashes; got ${JSON.stringify(name)}`,
  );
}

/** A failed call, by its line in the input or, in a run of traces, the place of its transaction. */
export const failureSchema = v.object({
  job: integer,
  line: integer,
  kind: v.string(),
  message: v.string(),
});

export type FailedLine = v.InferOutput<typeof failureSchema>;

export const finishedSchema = v.object({
  /** sha256 of the result lines, without those of undetermined calls. */
  checksum: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  pieces: integer,
  lines: integer,
  stored_bytes: integer,
  worker: v.string(),
  node: v.string(),
  busy_ms: integer,
  statistics: statisticsSchema,
  failures: v.array(failureSchema),
});

/** The record of a finished job, beside its results. */
export type FinishedJob = v.InferOutput<typeof finishedSchema>;

export const disagreementSchema = v.object({
  job: integer,
  workers: v.tuple([v.string(), v.string()]),
  checksums: v.tuple([v.string(), v.string()]),
  /** The first differing line of both results, cut. */
  lines: v.tuple([v.string(), v.string()]),
});

/** Two attempts at one job with differing results. The first result counts. */
export type Disagreement = v.InferOutput<typeof disagreementSchema>;
