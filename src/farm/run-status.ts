import type { Queue } from 'bullmq';
import * as v from 'valibot';
import { FarmError } from './farm-error.js';
import { keysOf } from './redis/keys.js';
import { JobResults } from './run/job-results.js';
import type { StoredRun } from './run/run-progress.js';
import { type Disagreement, type FailedLine, parsed, type RunState } from './run/run-record.js';
import type { RunStore } from './run/run-store.js';
import { readReports, type WorkerReport } from './worker/worker-report.js';

/** Failed jobs whose reasons are read. */
const SHOWN_JOBS = 10;

const workSchema = v.object({ jobs: v.number(), calls: v.number(), busy_ms: v.number() });

/** What one worker has done in a run with one node. */
export interface WorkerShare extends Readonly<v.InferOutput<typeof workSchema>> {
  readonly worker: string;
  readonly node: string;
}

/** A job that has been given up. */
export interface FailedJob {
  readonly job: number;
  readonly reason: string;
}

export interface RunStatus extends StoredRun {
  readonly phase: RunPhase;
  readonly waiting: number;
  readonly active: number;
  /** Number of jobs that have been given up, and the first of them. */
  readonly failedJobs: number;
  readonly failedExamples: readonly FailedJob[];
  readonly shares: readonly WorkerShare[];
  readonly reports: readonly WorkerReport[];
  readonly errors: readonly (readonly [kind: string, count: number])[];
  readonly failures: readonly FailedLine[];
  readonly disagreements: readonly Disagreement[];
}

/**
 * - `submitting`: jobs are still added.
 * - `running`: all jobs are in the queue or done.
 * - `complete`: every job has its results, and the checks of `--audit` have run.
 * - `stuck`: only jobs that have been given up are left.
 */
export type RunPhase = 'running' | 'complete' | 'stuck' | Exclude<RunState, 'open'>;

/** @throws FarmError no_run, redis, damaged */
export async function readStatus(store: RunStore, run: string): Promise<RunStatus> {
  const queue = store.queue(run);
  const counts = await store.redis.run(() =>
    queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized', 'failed'),
  );
  const { waiting = 0, active = 0, delayed = 0, prioritized = 0, failed = 0 } = counts;
  // Read after the queue: a job that ends in between must not look as if it had no results.
  const stored = await store.read(run);
  const results = new JobResults(store.redis, stored);
  const phase = phaseOf(stored, waiting + active + delayed + prioritized);
  // Workers store a job's results a moment before the job leaves the queue.
  const isOver = phase === 'complete';
  return {
    ...stored,
    phase,
    waiting: isOver ? 0 : waiting + delayed + prioritized,
    active: isOver ? 0 : active,
    failedJobs: failed,
    failedExamples: await failedExamples(store, queue),
    shares: await readShares(store, run),
    reports: await readReports(store.redis),
    errors: await results.errors(),
    failures: await results.failures(),
    disagreements: await results.disagreements(),
  };
}

/** @param onDamaged called for a run that cannot be read; it is left out. @throws FarmError redis */
export async function readStatuses(
  store: RunStore,
  runs: readonly string[],
  onDamaged: (error: FarmError) => void,
): Promise<RunStatus[]> {
  const read: RunStatus[] = [];
  for (const run of runs) {
    try {
      read.push(await readStatus(store, run));
    } catch (error) {
      if (!(error instanceof FarmError) || error.code === 'redis') throw error;
      // A run may have been removed meanwhile.
      if (error.code !== 'no_run') onDamaged(error);
    }
  }
  return read;
}

function phaseOf({ record, progress: { state, done, jobs } }: StoredRun, queued: number): RunPhase {
  if (state !== 'open') return state;
  // A check that is still to come may find a disagreement.
  if (done >= jobs && (record.audit === undefined || queued === 0)) return 'complete';
  return queued > 0 ? 'running' : 'stuck';
}

async function failedExamples(store: RunStore, queue: Queue): Promise<FailedJob[]> {
  const jobs = await store.redis.run(() => queue.getFailed(0, SHOWN_JOBS - 1));
  return jobs.map(({ data, failedReason }) => ({
    job: Number((data as { readonly job?: unknown }).job),
    reason: failedReason ?? '',
  }));
}

/** The shares of the workers, the largest first. @throws FarmError redis, damaged */
async function readShares(store: RunStore, run: string): Promise<WorkerShare[]> {
  const texts = await store.redis.run((client) => client.hgetall(keysOf(run).workers));
  return Object.entries(texts)
    .map(([key, text]) => {
      const [worker = '', node = ''] = key.split('\n');
      return { worker, node, ...parsed(workSchema, text, `the work of ${worker}`) };
    })
    .sort((a, b) => b.calls - a.calls);
}
