import { Queue } from 'bullmq';
import { errorMessage } from '../../base/errors.js';
import type { FarmRedis } from '../redis/farm-redis.js';
import { QUEUE_PREFIX } from '../redis/keys.js';
import type { JobData } from './run-record.js';

/** Attempts at a job that fails for a reason other than its node, before the job is given up. */
const ATTEMPTS = 5;
const FIRST_RETRY_MS = 1_000;

/** Completed jobs that the queue keeps, for people who look at it; results are kept elsewhere. */
const KEPT_COMPLETED = 10_000;

/** The names of jobs: work, and a second time the same work as a check. */
const WORK = 'work';
export const AUDIT = 'audit';

const OBLITERATE_TRIES = 10;

export interface QueuedJob {
  readonly data: JobData;
  readonly isAudit: boolean;
}

export function openQueue(run: string, { client }: FarmRedis): Queue {
  // A look at a queue must write nothing, as it would make keys of a run that has been removed.
  const quiet = { skipVersionCheck: true, skipMetasUpdate: true };
  const queue = new Queue(run, { connection: client, prefix: QUEUE_PREFIX, ...quiet });
  // The commands throw the same errors.
  queue.on('error', () => undefined);
  return queue;
}

/** Jobs, and the check of every `audit`-th. */
export function withAudits(jobs: readonly JobData[], audit: number | undefined): QueuedJob[] {
  const isAudited = ({ job }: JobData) => audit !== undefined && job % audit === 0;
  return jobs.flatMap((data) =>
    (isAudited(data) ? [false, true] : [false]).map((isAudit) => ({ data, isAudit })),
  );
}

/** Adds jobs. BullMQ ignores those that it has already. */
export async function enqueue(queue: Queue, jobs: readonly QueuedJob[]): Promise<void> {
  if (jobs.length === 0) return;
  await queue.addBulk(
    jobs.map((job) => ({
      name: job.isAudit ? AUDIT : WORK,
      data: job.data,
      opts: {
        attempts: ATTEMPTS,
        backoff: { type: 'exponential', delay: FIRST_RETRY_MS },
        removeOnComplete: { count: KEPT_COMPLETED },
        jobId: idOf(job),
      },
    })),
  );
}

/** State of a job in its queue. `absent`: it is done or was never added. */
export type QueuedState = 'pending' | 'failed' | 'absent';

/** Looks up a job, and takes it out unless it is still to be done. */
export async function takeOut(queue: Queue, job: QueuedJob): Promise<QueuedState> {
  const queued = await queue.getJob(idOf(job));
  const state = await queued?.getState();
  if (state === undefined || state === 'unknown') return 'absent';
  if (state !== 'failed' && state !== 'completed') return 'pending';
  await queued?.remove();
  return state === 'failed' ? 'failed' : 'absent';
}

export async function pendingJobs(queue: Queue): Promise<number> {
  const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized');
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Deletes a queue. Another process that does so too ends the pause that this needs. */
export async function obliterate(queue: Queue): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await queue.obliterate({ force: true });
      return;
    } catch (error) {
      if (tries >= OBLITERATE_TRIES || !errorMessage(error).includes('non-paused')) throw error;
    }
  }
}

function idOf({ data, isAudit }: QueuedJob): string {
  return `${isAudit ? AUDIT : 'job'}-${data.job}`;
}
