import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Tracer } from '../../generated/node-rpc-v1.js';
import type { FarmNode } from '../node/farm-node.js';
import type { FinishedJob } from '../run/finished-job.js';
import type { CommitOutcome, JobResults } from '../run/job-results.js';
import type { JobData, RunRecord } from '../run/run-record.js';
import { runCallJob } from './call-job.js';
import { JobRecorder } from './job-recorder.js';
import { runTraceJob } from './trace-job.js';

export interface JobWork {
  readonly node: FarmNode;
  readonly record: RunRecord;
  readonly results: JobResults;
  readonly data: JobData;
  /** Whether to run a job that has results already, to compare. */
  readonly isAudit: boolean;
  /** Name of the worker. */
  readonly worker: string;
  readonly signal: AbortSignal;
}

/** How a job ended. */
export interface JobEnd {
  readonly outcome: CommitOutcome | 'done_before';
  readonly calls: number;
  readonly failed: number;
  readonly undetermined: number;
  readonly checksum?: string;
}

/** Characters kept of the first line in which two results differ. */
const LINE_CHARACTERS = 2_000;

/**
 * Runs a job and stores its results, unless another attempt has.
 * @throws NodeAwayError if the node cannot run it now; FarmError; the signal's reason
 */
export async function runJob(work: JobWork): Promise<JobEnd> {
  const { node, results, data, isAudit, worker, signal } = work;
  const { job } = data;
  if (!isAudit && (await results.has(job))) {
    return { outcome: 'done_before', calls: 0, failed: 0, undetermined: 0 };
  }
  const start = performance.now();
  const attempt = randomUUID();
  const recorder = new JobRecorder(job, (place, piece) => results.stage(job, attempt, place, piece));
  try {
    await makeCalls(work, recorder);
    signal.throwIfAborted();
  } catch (error) {
    // Traces of a failed attempt may be large; without this they stay for hours.
    await results.discard(job, attempt).catch(() => undefined);
    throw error;
  }
  const { only, pieces, lines, storedBytes, checksum } = await recorder.end();
  const statistics = recorder.statistics.toRecord();
  const finished: FinishedJob = {
    checksum,
    pieces,
    lines,
    stored_bytes: storedBytes,
    worker,
    node: node.name,
    busy_ms: Math.round(performance.now() - start),
    statistics,
    failures: recorder.failures,
  };
  const { outcome, counted } = await results.commit(job, attempt, finished, only);
  if (outcome === 'differs' && counted !== undefined) {
    const [first, second] = [results.lines(job, counted), results.attemptLines(job, attempt, finished, only)];
    await results.noteDisagreement({
      job,
      workers: [nameOf(counted), nameOf(finished)],
      checksums: [counted.checksum, checksum],
      lines: await firstDifference(first, second),
    });
  }
  if (outcome !== 'stored' && only === undefined) await results.discard(job, attempt);
  const { calls, failed, undetermined } = statistics;
  return { outcome, calls, failed, undetermined, checksum };
}

async function makeCalls(work: JobWork, recorder: JobRecorder): Promise<void> {
  const failed = new AbortController();
  const signal = AbortSignal.any([work.signal, failed.signal]);
  // Every call in flight adds a listener.
  setMaxListeners(0, signal);
  try {
    await makeAll(work, recorder, signal);
  } catch (error) {
    // The calls that still wait would otherwise be made for nothing, before those of the next attempt.
    failed.abort(error);
    throw error;
  }
}

async function makeAll(work: JobWork, recorder: JobRecorder, signal: AbortSignal): Promise<void> {
  const { node, record, results, data } = work;
  const { job, calls, traces } = data;
  if (calls !== undefined) {
    await node.expectState(calls.pin);
    const lines = await results.input(job);
    const { first, pin } = calls;
    await runCallJob({ node, lines, first, pin, overrides: record.overrides, recorder, signal });
  } else if (traces !== undefined) {
    await node.expectBlock(record.pin);
    const tracers = (record.tracers ?? ['call_tree']) as Tracer['type'][];
    await runTraceJob({
      node,
      blocks: traces,
      pin: record.pin,
      recorder,
      signal,
      tracers: tracers.map((type) => ({ type })),
    });
  }
}

function nameOf({ worker, node }: FinishedJob): string {
  return `${worker} with ${node}`;
}

/** The first line in which two results differ, of each; empty at the end of one. */
async function firstDifference(
  one: AsyncIterable<string[]>,
  other: AsyncIterable<string[]>,
): Promise<[string, string]> {
  const [left, right] = [flat(one), flat(other)];
  for (;;) {
    const [a, b] = [(await left.next()).value ?? '', (await right.next()).value ?? ''];
    if (a !== b || a === '') return [a.slice(0, LINE_CHARACTERS), b.slice(0, LINE_CHARACTERS)];
  }
}

async function* flat(pieces: AsyncIterable<string[]>): AsyncGenerator<string, undefined, undefined> {
  for await (const lines of pieces) yield* lines;
  return undefined;
}
