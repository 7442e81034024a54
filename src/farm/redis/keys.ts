/**
 * The farm's keys. The braces keep all of them on one node of a Redis cluster, because scripts and the queue need that.
 *
 * - `{heddle-farm}:runs`: sorted set of the runs by the time of their submission.
 * - `{heddle-farm}:active`: the same of the runs that may have work.
 * - `{heddle-farm}:workers`: hash of the workers' latest reports; `{heddle-farm}:seen`: sorted set of their times.
 * - `{heddle-farm}:run:<run>`: hash with the record, the state and the counts of a run.
 * - `…:jobs`: hash of the jobs' data, as in the queue.
 * - `…:input`: hash of the calls of each job, compressed.
 * - `…:done`: hash of the finished jobs' records.
 * - `…:result:<job>`: hash of a job's results in compressed pieces; `…:staged:<job>:<attempt>`: those of an attempt.
 * - `…:workers`: hash of the work of each worker; `…:errors`: hash of counts by error kind.
 * - `…:failures`: list of the first failed calls; `…:disagreements`: hash of jobs with differing results.
 * - `{heddle-farm}:queue:<run>:…`: the queue of the run, as BullMQ keeps it.
 */
const PREFIX = '{heddle-farm}';

export const QUEUE_PREFIX = `${PREFIX}:queue`;
export const RUNS_KEY = `${PREFIX}:runs`;
export const ACTIVE_KEY = `${PREFIX}:active`;
export const WORKERS_KEY = `${PREFIX}:workers`;
export const SEEN_KEY = `${PREFIX}:seen`;

export function keysOf(run: string) {
  const key = `${PREFIX}:run:${run}`;
  return {
    run: key,
    jobs: `${key}:jobs`,
    input: `${key}:input`,
    done: `${key}:done`,
    workers: `${key}:workers`,
    errors: `${key}:errors`,
    failures: `${key}:failures`,
    disagreements: `${key}:disagreements`,
    result: (job: number) => `${key}:result:${job}`,
    staged: (job: number, attempt: string) => `${key}:staged:${job}:${attempt}`,
  };
}
