import { readFileSync, statSync } from 'node:fs';
import * as v from 'valibot';
import { errorMessage } from '../../base/errors.js';
import { shownLine } from '../../base/shown-text.js';
import { LoadError } from '../load-error.js';

/** A report of a day in spans of seconds has a few megabytes. */
const MAX_BYTES = 64 * 1_024 * 1_024;
const MAX_SAMPLES = 10_000;
const MAX_REASONS = 100;

const KIND = 'heddle load report 1';

const text = v.pipe(v.string(), v.maxLength(1_000));
const amount = v.pipe(v.number(), v.finite(), v.minValue(0));
const latencies = v.object({
  count: amount,
  mean: amount,
  p50: amount,
  p90: amount,
  p99: amount,
  p999: amount,
  max: amount,
});
const thread = v.object({ busy: amount, cores: v.exactOptional(amount) });

const sample = v.object({
  at_s: amount,
  sent: amount,
  accepted: amount,
  refused: amount,
  sealed: amount,
  unsealed: amount,
  pool: amount,
  blocks: amount,
  fill: v.exactOptional(amount),
  accepted_p50_ms: v.exactOptional(amount),
  accepted_p99_ms: v.exactOptional(amount),
  sealed_p50_ms: v.exactOptional(amount),
  sealed_p99_ms: v.exactOptional(amount),
  generator: v.exactOptional(v.object({ busy: amount, cores: amount, memory_bytes: amount })),
  node: v.exactOptional(
    v.object({
      cores: amount,
      memory_bytes: amount,
      main: v.exactOptional(thread),
      front: v.exactOptional(thread),
      block_workers: v.exactOptional(amount),
    }),
  ),
});

/** What a comparison needs of a report; reports of older builds may have no usage. */
const report = v.object({
  kind: v.literal(KIND),
  ended: v.picklist(['complete', 'interrupted', 'node_gone']),
  started: v.pipe(v.string(), v.isoTimestamp()),
  url: text,
  node_version: text,
  chain_id: text,
  block_time_ms: amount,
  settings: v.object({
    profile: text,
    rate: amount,
    duration_s: amount,
    connections: amount,
    accounts: amount,
    lanes: amount,
    max_unsealed: amount,
    seed: amount,
  }),
  totals: v.object({
    sent: amount,
    accepted: amount,
    refused: amount,
    sealed: amount,
    unsealed: amount,
    held_back: amount,
    held_back_unsealed: v.exactOptional(amount),
  }),
  per_second: v.object({ sent: amount, accepted: amount, sealed: amount }),
  refusals: v.pipe(
    v.record(text, amount),
    v.check(
      (reasons) => Object.keys(reasons).length <= MAX_REASONS,
      `expected at most ${MAX_REASONS} reasons`,
    ),
  ),
  accepted_ms: latencies,
  sealed_ms: latencies,
  blocks: v.object({
    count: amount,
    transactions_mean: amount,
    transactions_max: amount,
    fill_mean: amount,
    fill_max: amount,
  }),
  samples: v.pipe(
    v.array(sample),
    v.maxLength(MAX_SAMPLES),
    v.check((samples) => isAscending(samples), 'expected samples in order of their time'),
    v.readonly(),
  ),
});

/** A report that an earlier `heddle load --report` wrote. */
export type EarlierReport = Readonly<v.InferOutput<typeof report>>;

/**
 * Reads a report to compare with.
 * @throws LoadError `bad_report`
 */
export function readEarlierReport(path: string): EarlierReport {
  const value = parsed(path, contentOf(path));
  const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : undefined;
  if (typeof kind === 'string' && kind !== KIND && kind.startsWith('heddle load report ')) {
    throw bad(path, `it is a ${shownLine(kind.slice(0, 40))}, and this version reads ${KIND}`);
  }
  const result = v.safeParse(report, value);
  if (result.success) return result.output;
  throw bad(path, `it is no report of "heddle load --report": ${problemOf(result.issues[0])}`);
}

function problemOf(issue: v.BaseIssue<unknown>): string {
  const place = v.getDotPath(issue);
  if (place === null) return issue.message;
  // JSON has no undefined: the member is not there.
  return issue.received === 'undefined' ? `${place} is missing` : `${place}: ${issue.message}`;
}

function contentOf(path: string): string {
  try {
    const { size } = statSync(path);
    if (size > MAX_BYTES) throw bad(path, `expected at most ${MAX_BYTES} bytes, got ${size}`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof LoadError) throw error;
    throw new LoadError('bad_report', `--compare: cannot read ${path}: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}

function parsed(path: string, content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw bad(path, `expected JSON: ${errorMessage(error)}`);
  }
}

function isAscending(samples: readonly { readonly at_s: number }[]): boolean {
  return samples.every(({ at_s: at }, place) => at > (samples[place - 1]?.at_s ?? -1));
}

function bad(path: string, why: string): LoadError {
  return new LoadError('bad_report', `--compare ${path}: ${shownLine(why)}`);
}
