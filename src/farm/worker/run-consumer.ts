import { setMaxListeners } from 'node:events';
import { DelayedError, type Job, Worker as QueueWorker, UnrecoverableError, WaitingError } from 'bullmq';
import type { Log } from '../../config/log.js';
import { FarmError } from '../farm-error.js';
import { type FarmNode, NodeAwayError } from '../node/farm-node.js';
import { type FarmRedis, refusesWrites } from '../redis/farm-redis.js';
import { keysOf, QUEUE_PREFIX } from '../redis/keys.js';
import { SWEEP } from '../redis/scripts.js';
import { JobResults } from '../run/job-results.js';
import { AUDIT } from '../run/run-queue.js';
import { checked, jobSchema, type RunRecord } from '../run/run-record.js';
import { type JobEnd, runJob } from './run-job.js';

/** How often a job may begin although its node goes away: it may be what drives nodes away. */
const MAX_STARTED = 50;

/** Time after which a job is offered again that the node lacks the state for, in milliseconds. */
const OFFERED_AGAIN_MS = 1_000;

/** How often a job may be taken from a dead worker before it is given up: it may be what kills them. */
const MAX_STALLED = 20;

/** What is the same for all nodes and runs of a worker. */
export interface WorkerSettings {
  readonly redis: FarmRedis;
  readonly name: string;
  /** Jobs in progress at once per node, of all runs together, at least one each. */
  readonly jobsAtOnce: number;
  /** Time after which another worker takes over the jobs of a dead one, in milliseconds. */
  readonly leaseMs: number;
  readonly log: Log;
}

interface ConsumerOptions extends WorkerSettings {
  readonly run: string;
  readonly record: RunRecord;
  readonly node: FarmNode;
  readonly onJob: (end: JobEnd) => void;
  /** Called when the node cannot run a job, which goes back to the queue. */
  readonly onAway: (error: NodeAwayError) => void;
  /** Called with errors of the queue that it recovers from. */
  readonly onQueueError: (error: FarmError) => void;
  /** Called when Redis has refused results for longer than the worker waits. */
  readonly onFatal: (error: FarmError) => void;
}

/** Takes the jobs of one run for one node. BullMQ keeps the queue, renews the leases and finds dead workers. */
export class RunConsumer {
  readonly #options: ConsumerOptions;
  readonly #results: JobResults;
  readonly #worker: QueueWorker;
  readonly #stopped = new AbortController();

  constructor(options: ConsumerOptions) {
    this.#options = options;
    const { redis, run, name, jobsAtOnce, leaseMs, log } = options;
    // Every call in flight adds a listener to the signal.
    setMaxListeners(0, this.#stopped.signal);
    this.#results = new JobResults(redis, options);
    this.#worker = new QueueWorker(run, (job: Job) => this.#process(job), {
      connection: redis.client,
      prefix: QUEUE_PREFIX,
      name,
      concurrency: jobsAtOnce,
      lockDuration: leaseMs,
      stalledInterval: leaseMs,
      maxStalledCount: MAX_STALLED,
    });
    this.#worker.on('error', (error) => this.#noteError(redis.explained(error)));
    this.#worker.on('stalled', (job) => log.warn({ run, job }, "took over a dead worker's job"));
    this.#worker.on('failed', (job, error) =>
      log.warn({ run, job: job?.id, attempt: job?.attemptsMade }, `a job failed: ${error.message}`),
    );
  }

  set jobsAtOnce(jobs: number) {
    if (this.#worker.concurrency !== jobs) this.#worker.concurrency = jobs;
  }

  get isPaused(): boolean {
    return this.#worker.isPaused();
  }

  /** Takes no more jobs for now. */
  async pause(): Promise<void> {
    await this.#worker.pause(true);
  }

  async resume(): Promise<void> {
    await this.#worker.resume();
  }

  /** Gives up the jobs in progress, as for a canceled run. */
  abandon(): Promise<void> {
    this.#stopped.abort(new Error('the run is canceled'));
    return this.drain();
  }

  /** Ends at once, without Redis. Others take over the jobs in progress. */
  async kill(): Promise<void> {
    this.#stopped.abort(new Error('the worker ends'));
    await this.#worker.close(true);
  }

  /** Finishes the jobs in progress. */
  async drain(): Promise<void> {
    await this.#worker.pause(true);
    // BullMQ's own close would wait for ever for a connection that is lost at the moment.
    const blocking = await this.#worker.getBackend().blockingClient;
    if (blocking !== undefined && blocking.status !== 'ready' && blocking.status !== 'end') {
      await new Promise<void>((resolve) => {
        blocking.once('ready', resolve);
        blocking.once('end', resolve);
      });
    }
    await this.#worker.close();
    const { redis, run } = this.#options;
    const [meta, check] = [this.#worker.toKey('meta'), this.#worker.toKey('stalled-check')];
    await redis.script(SWEEP, [keysOf(run).run, meta, check], []);
  }

  #noteError(error: FarmError): void {
    const { onQueueError } = this.#options;
    // BullMQ would ask for the next job again at once; the shift resumes it soon.
    if (refusesWrites(error)) this.#worker.pause(true).catch(() => undefined);
    else onQueueError(error);
  }

  async #process(job: Job): Promise<JobEnd> {
    const { run, record, node, name: worker, onJob, onFatal } = this.#options;
    try {
      const data = checked(jobSchema, job.data, `a job of ${run}`);
      const end = await runJob({
        node,
        record,
        results: this.#results,
        data,
        worker,
        signal: this.#stopped.signal,
        isAudit: job.name === AUDIT,
      });
      onJob(end);
      return end;
    } catch (error) {
      if (error instanceof NodeAwayError) return this.#giveBack(job, error);
      if (this.#stopped.signal.aborted) {
        // The run may have been revived since.
        await job.moveToWait(job.token);
        throw new WaitingError();
      }
      // Another attempt would find the same.
      if (error instanceof FarmError && error.code === 'damaged') throw new UnrecoverableError(error.message);
      if (refusesWrites(error)) onFatal(error);
      throw error;
    }
  }

  /** Leaves a job to other nodes. That does not count as an attempt. */
  async #giveBack(job: Job, error: NodeAwayError): Promise<never> {
    const { attemptsStarted, token } = job;
    if (error.code === 'away' && attemptsStarted > MAX_STARTED) throw new UnrecoverableError(error.message);
    this.#options.onAway(error);
    if (error.code === 'away') {
      await job.moveToWait(token);
      throw new WaitingError();
    }
    // At the head of the queue it would hold up the rest of its run.
    await job.moveToDelayed(Date.now() + OFFERED_AGAIN_MS, token);
    throw new DelayedError();
  }
}
