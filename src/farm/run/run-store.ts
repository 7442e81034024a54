import type { Queue } from 'bullmq';
import { LRUCache } from 'lru-cache';
import { FarmError } from '../farm-error.js';
import type { FarmRedis } from '../redis/farm-redis.js';
import { ACTIVE_KEY, keysOf, RUNS_KEY } from '../redis/keys.js';
import { ADVANCE, CREATE, OPEN, RETIRE, WITHDRAW } from '../redis/scripts.js';
import { PROGRESS_FIELDS, progressOf, type StoredRun } from './run-progress.js';
import {
  enqueue,
  obliterate,
  openQueue,
  pendingJobs,
  type QueuedJob,
  takeOut,
  withAudits,
} from './run-queue.js';
import {
  type FinishedJob,
  finishedSchema,
  type JobData,
  jobSchema,
  parsed,
  type RunRecord,
  type RunState,
  recordSchema,
} from './run-record.js';

/** Queues and records kept, of the runs used last. */
const MAX_KEPT = 256;

/** Number of fields read or deleted by one command. */
const PAGE = 500;

/** A job as it is submitted: its data, and its compressed input if it has one. */
export interface NewJob {
  readonly data: JobData;
  readonly input?: Buffer;
}

/** The runs in Redis, and the queue of each. */
export class RunStore {
  readonly redis: FarmRedis;
  readonly #queues = new LRUCache<string, Queue>({
    max: MAX_KEPT,
    dispose: (queue) => void queue.close().catch(() => undefined),
  });
  /** Records never change, and may hold a megabyte of overrides. */
  readonly #records = new LRUCache<string, RunRecord>({ max: MAX_KEPT });

  constructor(redis: FarmRedis) {
    this.redis = redis;
  }

  /** The queue of a run. It shares the connection, and is kept: opening one takes about a millisecond. */
  queue(run: string): Queue {
    const known = this.#queues.get(run);
    if (known !== undefined) return known;
    const queue = openQueue(run, this.redis);
    this.#queues.set(run, queue);
    return queue;
  }

  /** @throws FarmError run_exists, redis */
  async create(run: string, record: RunRecord): Promise<void> {
    const created = await this.redis.script(
      CREATE,
      [keysOf(run).run, RUNS_KEY, ACTIVE_KEY],
      [JSON.stringify(record), record.id, run, record.created_ms],
    );
    if (created === 1) return;
    throw new FarmError('run_exists', `there is a run ${run} already; choose another --name`);
  }

  /** The names of the runs, the latest first. @throws FarmError redis */
  names(): Promise<string[]> {
    return this.redis.run((client) => client.zrevrange(RUNS_KEY, 0, -1));
  }

  /** @throws FarmError no_run, redis, damaged */
  async read(run: string): Promise<StoredRun> {
    const [id, ...values] = await this.redis.run((client) =>
      client.hmget(keysOf(run).run, 'id', ...PROGRESS_FIELDS),
    );
    if (id === undefined || id === null) {
      throw new FarmError('no_run', `there is no run ${run} on ${this.redis.name}; see "heddle farm status"`);
    }
    return { run, record: await this.#record(run, id), progress: progressOf(values) };
  }

  /**
   * The runs that have jobs to do, the oldest first. Takes those without off the list of active ones.
   * @param onDamaged called for a run that cannot be read, as one of another version; it is left out
   * @throws FarmError redis
   */
  async working(limit: number, onDamaged: (run: string, error: FarmError) => void): Promise<StoredRun[]> {
    const names = await this.redis.run((client) => client.zrange(ACTIVE_KEY, '0', String(MAX_KEPT - 1)));
    const working: StoredRun[] = [];
    for (const run of names) {
      if (working.length >= limit) break;
      const stored = await this.#readOrForget(run, onDamaged);
      if (stored === undefined) continue;
      const { state } = stored.progress;
      const isOver = state === 'canceled' || state === 'removed';
      const pending = isOver ? 0 : await this.pending(run);
      if (pending > 0) working.push(stored);
      else if (state !== 'submitting')
        await this.redis.script(RETIRE, [keysOf(run).run, ACTIVE_KEY], [run, stored.progress.version]);
    }
    return working;
  }

  /** Number of jobs still to be done; those that have failed for good wait for a retry. @throws FarmError redis */
  pending(run: string): Promise<number> {
    return this.redis.run(() => pendingJobs(this.queue(run)));
  }

  /**
   * Adds jobs to the queue of a run that is being submitted. Jobs that are in it already stay as they are.
   * @param reached number of lines in these jobs and all before
   * @throws FarmError wrong_state if the run has been canceled, removed or completed; redis
   */
  async addJobs(run: string, record: RunRecord, jobs: readonly NewJob[], reached: number): Promise<void> {
    const keys = keysOf(run);
    const [first, last] = [jobs[0], jobs.at(-1)];
    if (first === undefined || last === undefined) return;
    const before = first.data.job;
    const inputs = jobs.flatMap(({ data, input }) => (input === undefined ? [] : [String(data.job), input]));
    const bytes = jobs.reduce((sum, { input }) => sum + (input?.length ?? 0), 0);
    await this.#advance(run, record, before, 0, 0, 0);
    await this.redis.run(async (client) => {
      if (inputs.length > 0) await client.hset(keys.input, ...inputs);
      await client.hset(keys.jobs, ...jobs.flatMap(({ data }) => [String(data.job), JSON.stringify(data)]));
      const data = jobs.map((job) => job.data);
      await enqueue(this.queue(run), withAudits(data, record.audit));
    });
    await this.#advance(run, record, before, reached, last.data.job + 1, bytes);
  }

  /** Ends the submission of a run. @throws as {@link addJobs} */
  async open(run: string, { id }: RunRecord, jobs: number): Promise<void> {
    const keys = keysOf(run);
    const state = await this.redis.script(OPEN, [keys.run, keys.jobs], [id, jobs]);
    // Another process may have ended it as well.
    if (state !== 'submitting' && state !== 'open') await this.#giveUp(run, state);
  }

  /** Takes the run's jobs out of the queue; results stay. @throws FarmError redis */
  async cancel(run: string): Promise<void> {
    await this.#setState(run, 'canceled');
    await this.redis.run(() => obliterate(this.queue(run)));
  }

  /** Deletes a run with its results. @throws FarmError no_run, redis, damaged */
  async remove(run: string): Promise<void> {
    const { progress } = await this.read(run);
    // From here on, attempts in progress store nothing.
    await this.#setState(run, 'removed');
    await this.redis.run(() => obliterate(this.queue(run)));
    const keys = keysOf(run);
    await this.redis.run(async (client) => {
      for (const page of pagesOf(progress.jobs)) await client.unlink(...page.map((job) => keys.result(job)));
      const { run: own, jobs, input, done, workers, errors, failures, disagreements } = keys;
      await client.unlink(own, jobs, input, done, workers, errors, failures, disagreements);
      await client.zrem(RUNS_KEY, run);
      await client.zrem(ACTIVE_KEY, run);
    });
  }

  /**
   * Puts jobs without results into the queue again, audits that have failed, and finished jobs that `repeat` selects.
   * @returns the number of jobs put back
   * @throws FarmError wrong_state, redis, damaged
   */
  async retry(stored: StoredRun, repeat: (finished: FinishedJob) => boolean): Promise<number> {
    const { run, record, progress } = stored;
    if (progress.state === 'removed') throw new FarmError('wrong_state', `the run ${run} is being removed`);
    let again = 0;
    for await (const { data, finished } of this.finishedJobs(run, progress.jobs)) {
      again += await this.#retryJob(run, record, data, finished !== undefined && !repeat(finished));
    }
    if (progress.state === 'canceled') {
      await this.#setState(run, progress.isSubmitted ? 'open' : 'submitting');
    }
    await this.redis.run(async (client) => {
      await client.hincrby(keysOf(run).run, 'version', 1);
      await client.zadd(ACTIVE_KEY, record.created_ms, run);
    });
    return again;
  }

  /** The data and the record of each finished job, in order, a page at a time. @throws FarmError redis, damaged */
  async *finishedJobs(
    run: string,
    jobs: number,
  ): AsyncGenerator<{ readonly data: JobData; readonly finished: FinishedJob | undefined }> {
    const keys = keysOf(run);
    for (const page of pagesOf(jobs)) {
      const fields = page.map(String);
      const [data, done] = await this.redis.run((client) =>
        Promise.all([client.hmget(keys.jobs, ...fields), client.hmget(keys.done, ...fields)]),
      );
      for (const [place, job] of page.entries()) {
        const [what, record] = [`job ${job} of ${run}`, done[place] ?? undefined];
        const finished = record === undefined ? undefined : parsed(finishedSchema, record, what);
        yield { data: parsed(jobSchema, data[place] ?? '', what), finished };
      }
    }
  }

  /** @returns the number of jobs put back */
  async #retryJob(run: string, record: RunRecord, data: JobData, isDone: boolean): Promise<number> {
    const queue = this.queue(run);
    return this.redis.run(async () => {
      const again: QueuedJob[] = [];
      for (const job of withAudits([data], record.audit)) {
        if (!job.isAudit && isDone) continue;
        const state = await takeOut(queue, job);
        if (state === 'failed' || (state === 'absent' && !job.isAudit)) again.push(job);
      }
      // The results of a job that an attempt still works on stay: they would be missing then.
      if (again.some(({ isAudit }) => !isAudit)) {
        const { run: own, done, result, workers, errors, failures } = keysOf(run);
        const keys = [own, done, result(data.job), workers, errors, failures];
        await this.redis.script(WITHDRAW, keys, [data.job]);
      }
      await enqueue(queue, again);
      return again.length;
    });
  }

  async #record(run: string, id: string): Promise<RunRecord> {
    const known = this.#records.get(id);
    if (known !== undefined) return known;
    const text = await this.redis.run((client) => client.hget(keysOf(run).run, 'record'));
    const record = parsed(recordSchema, text ?? '', `run ${run}`);
    this.#records.set(id, record);
    return record;
  }

  async #readOrForget(
    run: string,
    onDamaged: (run: string, error: FarmError) => void,
  ): Promise<StoredRun | undefined> {
    try {
      return await this.read(run);
    } catch (error) {
      if (!(error instanceof FarmError) || error.code === 'redis') throw error;
      if (error.code === 'no_run') await this.redis.run((client) => client.zrem(ACTIVE_KEY, run));
      else onDamaged(run, error);
      return undefined;
    }
  }

  /** @param to number of jobs before, and lines, jobs and bytes reached */
  async #advance(run: string, { id }: RunRecord, ...to: [number, number, number, number]): Promise<void> {
    const state = await this.redis.script(ADVANCE, [keysOf(run).run], [id, ...to, Date.now()]);
    if (state !== 'submitting') await this.#giveUp(run, state);
  }

  /** Ends a submission whose run is gone. @throws FarmError wrong_state */
  async #giveUp(run: string, state: unknown): Promise<never> {
    if (state === 'open') {
      throw new FarmError('wrong_state', `another process has completed the submission of ${run}`);
    }
    if (state === 'lost') {
      throw new FarmError(
        'redis',
        `${this.redis.name} has lost jobs of ${run}; a crash can lose the last second`,
      );
    }
    // Jobs added since then would stay for ever.
    await this.redis.run(() => obliterate(this.queue(run)));
    if (state === '') {
      const { run: key, jobs, input } = keysOf(run);
      await this.redis.run(async (client) => {
        if ((await client.exists(key)) === 0) await client.unlink(jobs, input);
      });
    }
    throw new FarmError('wrong_state', `the run ${run} has been canceled or removed`);
  }

  async #setState(run: string, state: RunState): Promise<void> {
    await this.redis.run((client) => client.hset(keysOf(run).run, 'state', state));
  }
}

function* pagesOf(jobs: number): Generator<number[]> {
  for (let first = 0; first < jobs; first += PAGE) {
    yield Array.from({ length: Math.min(PAGE, jobs - first) }, (_, place) => first + place);
  }
}
