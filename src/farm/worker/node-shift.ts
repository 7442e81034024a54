import { errorMessage } from '../../base/errors.js';
import type { FarmError } from '../farm-error.js';
import type { FarmNode, NodeAwayError } from '../node/farm-node.js';
import type { StoredRun } from '../run/run-progress.js';
import { RunConsumer, type WorkerSettings } from './run-consumer.js';
import type { JobEnd } from './run-job.js';

/** Time after which a node that was away is tried again, in milliseconds. */
const AWAY_MS = 1_000;

/**
 * Pause of a run after a job whose state the node lacks, in milliseconds. It doubles with each until one succeeds: one
 * job at another block hardly slows down the rest, and nodes without the state leave its jobs to the others.
 */
const FIRST_LACKING_MS = 250;
const MAX_LACKING_MS = 5_000;

/** The same after a refusal of calls. */
const REFUSED_MS = 15_000;

interface ShiftOptions extends WorkerSettings {
  readonly node: FarmNode;
  /** Whether a run has been canceled or removed. */
  readonly isGone: (run: StoredRun) => Promise<boolean>;
  readonly onJob: (run: string, end: JobEnd) => void;
  readonly onFatal: (error: FarmError) => void;
}

/** A reason for taking no jobs, and the time until which none are taken. */
interface Problem {
  readonly message: string;
  readonly until: number;
}

interface Work {
  readonly stored: StoredRun;
  readonly consumer: RunConsumer;
}

/** The work of one node of a worker: a consumer for each run. */
export class NodeShift {
  readonly node: FarmNode;
  readonly #options: ShiftOptions;
  /** By the runs' ids: a name may be used again. */
  readonly #works = new Map<string, Work>();
  #problem: Problem | undefined;
  /** By the id of a run: what is shown until one of its jobs succeeds, and the number of jobs with problems in a row. */
  readonly #runProblems = new Map<string, Problem & { readonly times: number }>();
  /** The latest message of each run and of the node, so that none is logged twice in a row. */
  readonly #said = new Map<string, string>();
  #isLooking = false;
  #isDraining = false;

  constructor(options: ShiftOptions) {
    this.#options = options;
    this.node = options.node;
  }

  /** Why the node takes no jobs, or not those of some run; empty if it takes all. */
  get problem(): string {
    const [ofRun] = this.#runProblems.values();
    return (this.#problem ?? ofRun)?.message ?? '';
  }

  /** Begins and ends the work on runs, and tries again after problems. */
  async refresh(runs: readonly StoredRun[]): Promise<void> {
    const ids = new Set(runs.map(({ record }) => record.id));
    for (const [id, work] of this.#works) if (!ids.has(id)) this.#end(id, work);
    for (const id of this.#runProblems.keys()) if (!ids.has(id)) this.#runProblems.delete(id);
    this.#lookAfterNode();
    const each = Math.max(1, Math.floor(this.#options.jobsAtOnce / Math.max(1, runs.length)));
    for (const run of runs) {
      await this.#refreshRun(run, each);
      if (this.#isDraining) return;
    }
  }

  /** Finishes the jobs in progress and ends. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    await Promise.all([...this.#works.values()].map(({ consumer }) => consumer.drain()));
    this.#works.clear();
    this.node.close();
  }

  /** Ends at once, without Redis. */
  kill(): void {
    this.#isDraining = true;
    for (const { consumer } of this.#works.values()) consumer.kill().catch(() => undefined);
    this.#works.clear();
    this.node.close();
  }

  async #refreshRun(run: StoredRun, jobsAtOnce: number): Promise<void> {
    const { id } = run.record;
    const blockedUntil = this.#runProblems.get(id)?.until ?? 0;
    const isBlocked = this.#problem !== undefined || blockedUntil > performance.now();
    const consumer = this.#works.get(id)?.consumer ?? (isBlocked ? undefined : this.#begin(run, jobsAtOnce));
    if (consumer === undefined) return;
    consumer.jobsAtOnce = jobsAtOnce;
    if (isBlocked && !consumer.isPaused) await consumer.pause();
    if (!isBlocked && consumer.isPaused) await consumer.resume();
  }

  #begin(stored: StoredRun, jobsAtOnce: number): RunConsumer {
    const { log, onJob } = this.#options;
    const { run, record } = stored;
    log.info({ run, node: this.node.name }, 'working on a run');
    const consumer = new RunConsumer({
      ...this.#options,
      run,
      record,
      jobsAtOnce,
      onJob: (end) => {
        onJob(run, end);
        this.#runProblems.delete(record.id);
        this.#said.delete(record.id);
      },
      onAway: (error) => this.#noteAway(stored, error),
      onQueueError: (error) =>
        this.#say(`queue ${record.id}`, `the queue of ${run} reports: ${error.message}`),
    });
    this.#works.set(record.id, { stored, consumer });
    return consumer;
  }

  /** Ends the work on a run; not awaited, because its jobs may take long. */
  #end(id: string, { stored, consumer }: Work): void {
    const { isGone } = this.#options;
    this.#works.delete(id);
    isGone(stored)
      .then((gone) => (gone ? consumer.abandon() : consumer.drain()))
      .catch((error: unknown) =>
        this.#say(id, `cannot end the work on ${stored.run}: ${errorMessage(error)}`),
      );
  }

  #noteAway({ run, record }: StoredRun, error: NodeAwayError): void {
    const now = performance.now();
    if (error.code === 'away') {
      this.#say('node', `takes no jobs for now: ${error.message}`);
      this.#problem = { message: error.message, until: now + AWAY_MS };
      for (const { consumer } of this.#works.values()) this.#pause(consumer);
      return;
    }
    this.#say(record.id, `leaves jobs of ${run} to other workers: ${error.message}`);
    const times = (this.#runProblems.get(record.id)?.times ?? 0) + 1;
    const lacking = Math.min(MAX_LACKING_MS, FIRST_LACKING_MS * 2 ** (times - 1));
    const until = now + (error.code === 'refuses' ? REFUSED_MS : lacking);
    this.#runProblems.set(record.id, { message: error.message, until, times });
    this.#pause(this.#works.get(record.id)?.consumer);
  }

  #pause(consumer: RunConsumer | undefined): void {
    consumer
      ?.pause()
      .catch((error: unknown) => this.#say('pause', `cannot pause a queue: ${errorMessage(error)}`));
  }

  /** Tries a node that was away; not awaited, because it may hang. */
  #lookAfterNode(): void {
    if (this.#isLooking || this.#problem === undefined || this.#problem.until > performance.now()) return;
    this.#isLooking = true;
    this.node
      .ask((client) => client.status())
      .then(
        () => {
          this.#problem = undefined;
          this.#say('node', 'the node answers again');
        },
        (error: unknown) => {
          this.#problem = { message: errorMessage(error), until: performance.now() + AWAY_MS };
        },
      )
      .finally(() => {
        this.#isLooking = false;
      });
  }

  #say(about: string, message: string): void {
    if (this.#said.get(about) === message) return;
    if (this.#said.size > 1_000) this.#said.clear();
    this.#said.set(about, message);
    this.#options.log.warn({ node: this.node.name }, message);
  }
}
