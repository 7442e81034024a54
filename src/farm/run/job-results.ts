import { FarmError } from '../farm-error.js';
import type { FarmRedis } from '../redis/farm-redis.js';
import { keysOf } from '../redis/keys.js';
import { COMMIT, DISAGREE, STAGE } from '../redis/scripts.js';
import { unpackLines } from './pieces.js';
import type { StoredRun } from './run-progress.js';
import {
  type Disagreement,
  disagreementSchema,
  type FailedLine,
  type FinishedJob,
  failureSchema,
  finishedSchema,
  parsed,
} from './run-record.js';

/** Time after which the pieces of an attempt that ended without a result are deleted, in seconds. */
const STAGED_S = 6 * 3_600;

/** Number of failed calls kept with their messages. */
const KEPT_FAILURES = 100;

/** Disagreements kept with their lines; all are counted. */
const KEPT_DISAGREEMENTS = 100;

/** How a result compares with one that was there before. */
export type CommitOutcome = 'stored' | 'same' | 'incomparable' | 'differs' | 'gone';

/** The results of the jobs of a run in Redis. */
export class JobResults {
  readonly #redis: FarmRedis;
  readonly #run: string;
  readonly #id: string;

  constructor(redis: FarmRedis, { run, record }: Pick<StoredRun, 'run' | 'record'>) {
    this.#redis = redis;
    this.#run = run;
    this.#id = record.id;
  }

  /** Whether a job has its results. @throws FarmError redis */
  async has(job: number): Promise<boolean> {
    return (await this.#redis.run((client) => client.hexists(keysOf(this.#run).done, String(job)))) === 1;
  }

  /** The compressed calls of a job. @throws FarmError redis, damaged */
  async input(job: number): Promise<string[]> {
    const piece = await this.#redis.run((client) => client.hgetBuffer(keysOf(this.#run).input, String(job)));
    if (piece === null) throw new FarmError('damaged', `${this.#name(job)} has no calls`);
    return unpackLines(piece, `the calls of ${this.#name(job)}`);
  }

  /** Stores a piece of the results of an attempt that has several. @throws FarmError redis */
  async stage(job: number, attempt: string, place: number, piece: Buffer): Promise<void> {
    const key = keysOf(this.#run).staged(job, attempt);
    await this.#redis.script(STAGE, [key], [place, piece, STAGED_S]);
  }

  /**
   * Stores the results of a job, unless it has some: those count then.
   * @param only the results if they are one piece; else they are staged
   * @throws FarmError redis, damaged
   */
  async commit(
    job: number,
    attempt: string,
    finished: FinishedJob,
    only: Buffer | undefined,
  ): Promise<{ readonly outcome: CommitOutcome; readonly counted: FinishedJob | undefined }> {
    const keys = keysOf(this.#run);
    const record = JSON.stringify(finished);
    const counted = await this.#redis.script(
      COMMIT,
      [
        ...[keys.run, keys.done, keys.result(job), keys.staged(job, attempt)],
        ...[keys.workers, keys.errors, keys.failures],
      ],
      [this.#id, job, record, only ?? '', finished.worker, finished.node, KEPT_FAILURES, Date.now()],
    );
    if (counted === record) return { outcome: 'stored', counted: finished };
    if (typeof counted !== 'string' || counted === '') return { outcome: 'gone', counted: undefined };
    const other = parsed(finishedSchema, counted, this.#name(job));
    const isComparable = finished.statistics.undetermined === 0 && other.statistics.undetermined === 0;
    if (!isComparable) return { outcome: 'incomparable', counted: other };
    return { outcome: other.checksum === finished.checksum ? 'same' : 'differs', counted: other };
  }

  /** The result lines of a finished job, a piece at a time. @throws FarmError redis, damaged */
  lines(job: number, { pieces }: Pick<FinishedJob, 'pieces'>): AsyncGenerator<string[]> {
    return this.#lines(keysOf(this.#run).result(job), pieces, this.#name(job));
  }

  /** The lines of an attempt that did not count. @throws FarmError redis, damaged */
  async *attemptLines(
    job: number,
    attempt: string,
    { pieces }: Pick<FinishedJob, 'pieces'>,
    only: Buffer | undefined,
  ): AsyncGenerator<string[]> {
    if (only !== undefined) yield unpackLines(only, this.#name(job));
    else yield* this.#lines(keysOf(this.#run).staged(job, attempt), pieces, this.#name(job));
  }

  /** Deletes the staged pieces of an attempt. @throws FarmError redis */
  async discard(job: number, attempt: string): Promise<void> {
    await this.#redis.run((client) => client.unlink(keysOf(this.#run).staged(job, attempt)));
  }

  async *#lines(key: string, pieces: number, name: string): AsyncGenerator<string[]> {
    for (let place = 0; place < pieces; place++) {
      const piece = await this.#redis.run((client) => client.hgetBuffer(key, String(place)));
      if (piece === null) throw new FarmError('damaged', `piece ${place} of ${name} is missing`);
      yield unpackLines(piece, `the results of ${name}`);
    }
  }

  /** Notes two attempts with differing results. @throws FarmError redis */
  async noteDisagreement(disagreement: Disagreement): Promise<void> {
    const { job, checksums } = disagreement;
    const keys = keysOf(this.#run);
    await this.#redis.script(
      DISAGREE,
      [keys.run, keys.disagreements],
      [`${job} ${checksums[1]}`, JSON.stringify(disagreement), KEPT_DISAGREEMENTS],
    );
  }

  /** @throws FarmError redis, damaged */
  async disagreements(): Promise<Disagreement[]> {
    const texts = await this.#redis.run((client) => client.hvals(keysOf(this.#run).disagreements));
    return texts
      .map((text) => parsed(disagreementSchema, text, `a disagreement in ${this.#run}`))
      .sort((a, b) => a.job - b.job);
  }

  /** The first failed calls, in order of their lines. @throws FarmError redis, damaged */
  async failures(): Promise<FailedLine[]> {
    const texts = await this.#redis.run((client) => client.lrange(keysOf(this.#run).failures, 0, -1));
    return texts
      .map((text) => parsed(failureSchema, text, `a failure in ${this.#run}`))
      .sort((a, b) => a.job - b.job || a.line - b.line);
  }

  /** Numbers of errors by kind, the most frequent first. @throws FarmError redis */
  async errors(): Promise<readonly (readonly [kind: string, count: number])[]> {
    const counts = await this.#redis.run((client) => client.hgetall(keysOf(this.#run).errors));
    return Object.entries(counts)
      .map(([kind, count]) => [kind, Number(count)] as const)
      .filter(([, count]) => count > 0)
      .sort(([, a], [, b]) => b - a);
  }

  #name(job: number): string {
    return `job ${job} of ${this.#run}`;
  }
}
