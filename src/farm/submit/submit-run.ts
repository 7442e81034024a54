import { createHash, randomUUID } from 'node:crypto';
import { defined } from '../../base/defined.js';
import { counted } from '../../base/number-text.js';
import type { BlockRef, Tracer } from '../../generated/node-rpc-v1.js';
import { FarmError } from '../farm-error.js';
import type { FarmNode } from '../node/farm-node.js';
import type { StoredRun } from '../run/run-progress.js';
import type { Pin } from '../run/run-record.js';
import type { NewJob, RunStore } from '../run/run-store.js';
import { CallSample } from './call-costs.js';
import { type CallSource, type CheckedCall, checkCall } from './call-source.js';
import { type CutJob, cutBlocks, cutCalls, type InputLine, jobLengthUs } from './cut-jobs.js';
import { Pins } from './pins.js';

/** Jobs added by one command; also bounded by the size of their calls. */
const BULK_JOBS = 64;
const BULK_BYTES = 4 * 1024 * 1024;

const SHOWN_PROBLEMS = 20;

export interface Submission {
  readonly store: RunStore;
  /** Answers questions about blocks, and takes the sample of calls. */
  readonly node: FarmNode;
  readonly run: string;
  readonly chainId: bigint;
  /** Every how many jobs one runs a second time. */
  readonly audit: number | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (step: 'checking' | 'submitting', lines: number, of: number | undefined) => void;
}

export interface CallSubmission extends Submission {
  readonly source: CallSource;
  readonly at: BlockRef;
  /** JSON text of an array of state overrides. */
  readonly overrides: string | undefined;
  /** Whether bad lines become results with an error; otherwise any refuses the whole run. */
  readonly keepsBadLines: boolean;
}

export interface TraceSubmission extends Submission {
  readonly from: bigint;
  readonly to: bigint;
  readonly tracers: readonly Tracer[];
}

/** What a first reading of the calls found. */
interface Checked {
  readonly lines: number;
  readonly sha256: string;
  readonly sample: CallSample;
}

/**
 * Checks calls and submits them as a run.
 * @throws FarmError bad_input with the bad lines, run_exists, redis, node; NodeAwayError; the signal's reason
 */
export async function submitCalls(submission: CallSubmission): Promise<StoredRun> {
  const { store, node, run, source, at, overrides, chainId, audit, signal } = submission;
  const checked = await checkAll(submission);
  const pins = new Pins(node);
  const pin = await pins.resolve(at);
  const pinOf = (call: CheckedCall): Promise<Pin> | Pin =>
    call.at === undefined ? pin : pins.resolve(call.at);
  const costs = await checked.sample.measure(node, pinOf, overrides, signal);
  await store.create(
    run,
    defined({
      version: 1,
      id: randomUUID(),
      kind: 'calls',
      chain_id: `${chainId}`,
      source: source.name,
      created_ms: Date.now(),
      pin,
      input_sha256: checked.sha256,
      costs_us: costs,
      length_us: jobLengthUs(checked.sample.counts, costs),
      overrides,
      audit,
    }),
  );
  return addCalls(submission, await store.read(run), checked, pinOf);
}

/**
 * Goes on with a submission of calls that was interrupted.
 * @throws as {@link submitCalls}; FarmError wrong_state if it is complete, bad_input if the calls are others
 */
export async function resumeCalls(submission: CallSubmission): Promise<StoredRun> {
  const { store, node, run } = submission;
  const stored = await store.read(run);
  expectUnfinished(stored);
  const checked = await checkAll(submission);
  if (checked.sha256 !== stored.record.input_sha256) {
    throw new FarmError('bad_input', `${submission.source.name} does not hold the calls of the run ${run}`);
  }
  const pins = new Pins(node);
  const pinOf = (call: CheckedCall): Promise<Pin> | Pin =>
    call.at === undefined ? stored.record.pin : pins.resolve(call.at);
  return addCalls(submission, stored, checked, pinOf);
}

/** Submits the transactions of a range of blocks as a run. @throws as {@link submitCalls} */
export async function submitTraces(submission: TraceSubmission): Promise<StoredRun> {
  const { store, node, run, from, to, tracers, chainId, audit } = submission;
  const pin = await new Pins(node).resolve({ type: 'height', value: to });
  await store.create(run, {
    version: 1,
    id: randomUUID(),
    kind: 'traces',
    chain_id: `${chainId}`,
    created_ms: Date.now(),
    pin,
    source: `blocks ${from} to ${to}`,
    blocks: { from: `${from}`, to: `${to}` },
    tracers: tracers.map(({ type }) => type),
    ...(audit !== undefined && { audit }),
  });
  return addTraces(submission, await store.read(run));
}

/** Goes on with a submission of traces that was interrupted. @throws as {@link resumeCalls} */
export async function resumeTraces(submission: Submission, stored: StoredRun): Promise<StoredRun> {
  expectUnfinished(stored);
  return addTraces(submission, stored);
}

async function addTraces(submission: Submission, stored: StoredRun): Promise<StoredRun> {
  const { node } = submission;
  const { record, progress } = stored;
  const { from, to } = record.blocks ?? { from: '0', to: '0' };
  const jobs = cutBlocks(node, { from: BigInt(from), to: BigInt(to) });
  return addAll(submission, stored, after(jobs, progress.jobs), undefined);
}

async function addCalls(
  submission: CallSubmission,
  stored: StoredRun,
  checked: Checked,
  pinOf: (call: CheckedCall) => Promise<Pin> | Pin,
): Promise<StoredRun> {
  const { record, progress } = stored;
  const jobs = cutCalls(inputLines(submission.source), {
    costs: record.costs_us ?? {},
    lengthUs: record.length_us ?? 0,
    pinOf,
    pin: record.pin,
    start: { lines: progress.lines, jobs: progress.jobs },
  });
  return addAll(submission, stored, jobs, checked.lines);
}

/** Adds the jobs to the queue and opens the run. Workers begin with the first ones at once. */
async function addAll(
  { store, run, signal, onProgress }: Submission,
  { record, progress }: StoredRun,
  jobs: AsyncIterable<CutJob>,
  lines: number | undefined,
): Promise<StoredRun> {
  let gathered: NewJob[] = [];
  let bytes = 0;
  let { lines: reached, jobs: count } = progress;
  const add = async (): Promise<void> => {
    await store.addJobs(run, record, gathered, reached);
    gathered = [];
    bytes = 0;
    onProgress('submitting', reached, lines);
  };
  for await (const cut of jobs) {
    signal.throwIfAborted();
    gathered.push(cut.job);
    bytes += cut.job.input?.length ?? 0;
    reached = cut.reached;
    count = cut.job.data.job + 1;
    if (gathered.length >= BULK_JOBS || bytes >= BULK_BYTES) await add();
  }
  await add();
  await store.open(run, record, count);
  return store.read(run);
}

/** Reads all lines once. @throws FarmError bad_input */
async function checkAll({ source, keepsBadLines, signal, onProgress }: CallSubmission): Promise<Checked> {
  const hash = createHash('sha256');
  const sample = new CallSample();
  const problems: string[] = [];
  let [lines, bad] = [0, 0];
  for await (const text of source.lines()) {
    lines++;
    hash.update(text).update('\n');
    if (lines % 1_000 === 0) {
      signal.throwIfAborted();
      onProgress('checking', lines, undefined);
    }
    if (text.trim() === '') continue;
    const call = checkCall(text);
    if (!('problem' in call)) sample.add(call);
    else if (++bad <= SHOWN_PROBLEMS) problems.push(`line ${lines}: ${call.problem}`);
  }
  onProgress('checking', lines, undefined);
  if (sample.counts.size === 0 && bad === 0)
    throw new FarmError('bad_input', `${source.name} holds no calls`);
  if (bad > 0 && !keepsBadLines) throw new FarmError('bad_input', badLines(source.name, problems, bad));
  return { lines, sha256: hash.digest('hex'), sample };
}

function badLines(name: string, problems: readonly string[], bad: number): string {
  const more = bad - problems.length;
  return [
    `${name}: ${counted(bad, 'bad line')}; nothing is submitted (--keep-bad-lines makes them results with an error)`,
    ...problems,
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('\n');
}

async function* inputLines(source: CallSource): AsyncGenerator<InputLine> {
  for await (const text of source.lines()) {
    const call = text.trim() === '' ? undefined : checkCall(text);
    yield { text, call: call === undefined || 'problem' in call ? undefined : call };
  }
}

async function* after<T>(items: AsyncIterable<T>, skipped: number): AsyncGenerator<T> {
  let place = 0;
  for await (const item of items) if (place++ >= skipped) yield item;
}

function expectUnfinished({ run, progress }: StoredRun): void {
  if (progress.state === 'submitting') return;
  if (!progress.isSubmitted) {
    throw new FarmError('wrong_state', `the run ${run} is canceled; "heddle farm retry ${run}" revives it`);
  }
  throw new FarmError(
    'wrong_state',
    `the run ${run} has been submitted completely; see "heddle farm status ${run}"`,
  );
}
