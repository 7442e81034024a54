import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { CodedError, errorMessage } from '../../src/base/errors.js';
import type { Measured } from './figure.js';
import type { BenchmarkRun } from './run.js';

/** `unreadable`: the file cannot be read; `malformed`: it holds something else than a run. */
export type RunFileErrorCode = 'unreadable' | 'malformed';

/** A file of results is of no use. */
export class RunFileError extends CodedError<RunFileErrorCode> {
  override readonly name = 'RunFileError';
}

const text = v.pipe(v.string(), v.maxLength(1_000));
const finite = v.pipe(v.number(), v.finite());
const rounds = v.pipe(v.array(finite), v.minLength(1));
const unit = v.picklist(['ns', 'µs', 'ms', 's', '/s', '×', 'MiB', 'bytes', 'count']);
const better = v.picklist(['lower', 'higher']);

const figure = v.strictObject({
  name: text,
  unit,
  better,
  rounds,
  baselines: v.exactOptional(v.array(v.strictObject({ name: text, rounds }))),
  aim: v.exactOptional(
    v.strictObject({ of: v.picklist(['value', 'ratio']), at: v.picklist(['least', 'most']), bound: finite }),
  ),
});

const series = v.strictObject({
  name: text,
  over: text,
  unit,
  better,
  points: v.array(v.strictObject({ size: finite, rounds })),
  largestExponent: v.exactOptional(finite),
});

const measured: v.GenericSchema<unknown, Measured> = v.variant('kind', [
  v.strictObject({ kind: v.literal('figure'), figure }),
  v.strictObject({ kind: v.literal('series'), series }),
]);

const run: v.GenericSchema<unknown, BenchmarkRun> = v.strictObject({
  format: v.literal('heddle-bench-1'),
  began: v.pipe(v.string(), v.isoTimestamp()),
  commit: v.exactOptional(text),
  quick: v.boolean(),
  machine: v.strictObject({
    processor: text,
    cores: finite,
    memoryMiB: finite,
    node: text,
    kernel: text,
    verificationMicros: v.tuple([finite, finite]),
  }),
  benchmarks: v.array(
    v.strictObject({
      name: text,
      seconds: finite,
      arguments: v.array(text),
      figures: v.array(figure),
      series: v.array(series),
      failure: v.exactOptional(text),
    }),
  ),
});

/** Checks a message of a benchmark. @returns the reason if it is none */
export function parseMeasured(message: unknown): { readonly measured: Measured } | { readonly bad: string } {
  const parsed = v.safeParse(measured, message);
  return parsed.success ? { measured: parsed.output } : { bad: describe(parsed.issues) };
}

/** Reads a file of `npm run bench`. @throws RunFileError */
export function readRun(path: string): BenchmarkRun {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    throw new RunFileError('unreadable', `cannot read ${path}: ${errorMessage(error)}`, { cause: error });
  }
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    throw new RunFileError('malformed', `${path}: expected JSON of npm run bench: ${errorMessage(error)}`, {
      cause: error,
    });
  }
  const parsed = v.safeParse(run, value);
  if (parsed.success) return parsed.output;
  throw new RunFileError('malformed', `${path} is no run.json of npm run bench: ${describe(parsed.issues)}`);
}

/** The first issue, with its place. */
function describe([issue]: readonly v.BaseIssue<unknown>[]): string {
  if (issue === undefined) return 'unknown issue';
  const place = v.getDotPath(issue);
  return place === null ? issue.message : `${place}: ${issue.message}`;
}
