import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { ClientError, formatHash } from '../../client/client.js';
import type { RangeTx, Tracer } from '../../generated/node-rpc-v1.js';
import { badLineEnd, type CallFailure, resultLine } from '../../load/calls/ask-call.js';
import { readCallLine } from '../../load/calls/call-line.js';
import { workInOrder } from '../../load/ordered-work.js';
import { rangeTransactions } from '../../load/traces/range-transactions.js';
import { readTrace, traceCall } from '../../load/traces/traced-transaction.js';
import { type FarmNode, NodeAwayError } from '../node/farm-node.js';
import { outcomeOf } from '../outcome.js';
import type { CommitOutcome, JobResults } from '../run/job-results.js';
import type { FinishedJob, JobData, Pin, RunRecord } from '../run/run-record.js';
import { JobRecorder, type RecordedCall } from './job-recorder.js';
import { pinnedCall } from './pinned-call.js';

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

/** A job whose calls are being made; the signal also ends them once one has failed. */
interface Making extends JobWork {
  readonly recorder: JobRecorder;
}

/** Makes the calls of a job and records their results in order. @throws NodeAwayError, or the signal's reason */
async function runCalls(work: Making, { first, pin }: NonNullable<JobData['calls']>): Promise<void> {
  const { node, results, data } = work;
  await node.expectState(pin);
  await workInOrder<string, RecordedCall>({
    items: itemsOf(await results.input(data.job)),
    concurrency: node.concurrency,
    // Empty lines count but have no result.
    work: (text, place) => (text.trim() === '' ? null : answer(work, text, first + place - 1, pin)),
    ...recording(work),
  });
}

/** What both kinds of jobs do with the results of their calls. */
function recording({ recorder, signal }: Making) {
  return {
    signal,
    sizeOf: ({ text }: RecordedCall) => text.length,
    settle: async (done: RecordedCall | null) => {
      if (done !== null) await recorder.add(done);
    },
  };
}

async function answer(
  { node, record, signal }: Making,
  text: string,
  line: number,
  pin: Pin,
): Promise<RecordedCall> {
  const call = readCallLine(text);
  const { id } = call;
  if ('problem' in call) {
    const end = badLineEnd(call);
    return { text: resultLine({ line, id }, end), line, timeUs: 0, isUndetermined: false, end };
  }
  const { method } = call;
  const pinned = pinnedCall(call, pin, record.overrides);
  const { end, timeUs, isUndetermined } = await node.call(pinned, signal);
  const block =
    'result' in end && pinned.pin === undefined
      ? blockOfReceipt(end.result.value)
      : { height: Number(pin.height), block_hash: pin.hash };
  if (!('result' in end)) {
    return { text: resultLine({ line, id, method, ...block }, end), line, timeUs, isUndetermined, end };
  }
  const outcome = outcomeOf(end.result.text);
  const head = { line, id, method, ...block, error_name: outcome.errorName };
  return { text: resultLine(head, end), line, timeUs, isUndetermined, end: outcome };
}

async function* itemsOf<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

/** The block of a traced transaction, from its receipt. */
function blockOfReceipt(value: unknown): { readonly height?: unknown; readonly block_hash?: unknown } {
  const { receipt } = (value ?? {}) as { readonly receipt?: Readonly<Record<string, unknown>> | null };
  return { height: receipt?.['height'], block_hash: receipt?.['block_hash'] };
}

/** Traces of one job in flight at once: each may hold 16 MiB. */
const MAX_TRACES = 64;

/** Traces transactions and compares each with its receipt. @throws NodeAwayError, or the signal's reason */
async function runTraces(work: Making, blocks: NonNullable<JobData['traces']>): Promise<void> {
  const { node, record } = work;
  await node.expectBlock(record.pin);
  const names = (record.tracers ?? ['call_tree']) as Tracer['type'][];
  const tracers = names.map((type) => ({ type }));
  await workInOrder<RangeTx, RecordedCall>({
    items: transactionsOf(node, blocks),
    concurrency: Math.min(MAX_TRACES, node.concurrency),
    work: (item, place) => trace(work, item, place, tracers),
    ...recording(work),
  });
}

async function* transactionsOf(
  node: FarmNode,
  { from, to, places }: NonNullable<JobData['traces']>,
): AsyncGenerator<RangeTx> {
  const items = rangeTransactions(
    { get_txs_in_range: (args) => node.ask((client) => client.get_txs_in_range(args)) },
    BigInt(from),
    BigInt(to),
  );
  for await (const item of items) {
    if (places === undefined || (item.index >= places.first && item.index <= places.last)) yield item;
  }
}

async function trace(
  { node, record: { pin }, signal }: Making,
  item: RangeTx,
  line: number,
  tracers: readonly Tracer[],
): Promise<RecordedCall> {
  const { height, index, tx_hash: hash } = item;
  const head = `{"height":${height},"index":${index},"tx_hash":"${formatHash(hash)}"`;
  const { end, timeUs, isUndetermined } = await node.call({ ...traceCall(item, tracers), pin }, signal);
  const failed = (failure: CallFailure): RecordedCall => ({
    text: `${head},"error":${JSON.stringify(failure)}}`,
    line,
    timeUs,
    isUndetermined,
    end: { failure },
  });
  if ('failure' in end) return failed(end.failure);
  const traced = readOrLeave(node, () => readTrace(end.result, item, tracers));
  const [difference] = traced.differences;
  if (difference !== undefined) return failed({ kind: 'differs_from_receipt', message: difference });
  const { status, gas, errorName } = traced;
  const error = errorName === undefined ? '' : `,"error_name":"${errorName}"`;
  return {
    text: `${head}${error},${traced.members}}`,
    line,
    timeUs,
    isUndetermined,
    end: { status, gasUsed: BigInt(gas) },
  };
}

/** Reads an answer; a malformed one leaves the job to other nodes. @throws NodeAwayError */
function readOrLeave<T>(node: FarmNode, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    throw new NodeAwayError('refuses', `${node.name}: ${error.message}`, { cause: error });
  }
}

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
  const { calls, traces } = work.data;
  try {
    if (calls !== undefined) await runCalls({ ...work, recorder, signal }, calls);
    else if (traces !== undefined) await runTraces({ ...work, recorder, signal }, traces);
  } catch (error) {
    // The calls that still wait would otherwise be made for nothing, before those of the next attempt.
    failed.abort(error);
    throw error;
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
