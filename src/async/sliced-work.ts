import { performance } from 'node:perf_hooks';
import type { Caller } from './caller.js';
import { FairQueue, type QueueClient, type Queued } from './fair-queue.js';
import { TickClock } from './tick-clock.js';

/** Default time per event loop tick for sliced jobs, in milliseconds. */
const TICK_BUDGET_MS = 4;
/** Time a job runs before the next one gets its turn, in milliseconds. */
const SLICE_MS = 1;
const SWEEP_MS = 100;
const MAX_DROPPED = 1_000;

/**
 * A job that can be suspended at every yield, and yields well within each millisecond. It yields true after starting
 * promise work, which then proceeds before the next job runs. To pause, it yields a promise, which must settle even if
 * the caller hangs up.
 */
export type Sliced<T> = Generator<boolean | Promise<void> | undefined, T>;

/** Thrown when nothing waits for the result any more. */
export class CallerGoneError extends Error {
  override readonly name = 'CallerGoneError';

  constructor() {
    super('the caller is gone');
  }
}

/** Shared, because thousands may fail at once and stack traces are expensive. */
const GONE = new CallerGoneError();

/** Thrown when the queue is full or the job has waited too long. */
export class WorkRefusedError extends Error {
  override readonly name = 'WorkRefusedError';
}

export interface SlicedWorkOptions {
  /** Milliseconds; default `performance.now`. */
  readonly now?: () => number;
  /** Maximum time that jobs take up in one event loop tick, in milliseconds; default 4. */
  readonly tickBudgetMs?: number;
  /** Maximum number of waiting jobs; beyond it, the clients with the most jobs lose their newest. Default: none. */
  readonly maxWaiting?: number;
  readonly maxWaitingBytes?: number;
  /** Maximum time a job may wait to start, in milliseconds, if its caller has no shorter limit; default: unlimited. */
  readonly maxWaitMs?: number;
  /** Whether no job starts promise work, so that the next one need not wait for it. Default: false. */
  readonly isSynchronous?: boolean;
  /** Tells whether a client's jobs may run now; see {@link SlicedWork.resume}. Default: all may. */
  readonly mayProceed?: (client: string) => boolean;
}

interface Job extends Queued {
  readonly caller: Caller;
  isBegun: boolean;
  /** Runs the job for one slice. Returns true when it is over, false to be queued again, or a promise to wait for. */
  readonly advance: (untilMs: number) => boolean | Promise<void>;
  readonly fail: (error: Error) => void;
}

/**
 * Runs jobs in short slices, a few in each event loop tick, so that a thread that also serves other requests stays
 * responsive. Clients get equal shares of that time; promise callbacks are charged to the job that caused them.
 */
export class SlicedWork {
  /** This thread's tick clock, for callers that decide whether to do something at once. */
  readonly tick: TickClock;
  readonly #queue = new FairQueue<Job>();
  readonly #options: SlicedWorkOptions;
  readonly #now: () => number;
  readonly #tickBudgetMs: number;
  readonly #mayTake: (client: QueueClient<Job>) => boolean;
  readonly #step = (): void => void this.#nextJob();
  readonly #afterPromises = (): void => process.nextTick(this.#step);
  #isScheduled = false;
  #sweeping: NodeJS.Timeout | undefined;
  #tickStartMs = 0;
  /** The client whose job ran in the last step, and when that step began. */
  #charged: QueueClient<Job> | undefined;
  #stepStartMs = 0;

  constructor(options: SlicedWorkOptions = {}) {
    const { now = () => performance.now(), tickBudgetMs = TICK_BUDGET_MS, mayProceed } = options;
    this.#options = options;
    this.#now = now;
    this.#tickBudgetMs = tickBudgetMs;
    this.#mayTake = mayProceed === undefined ? () => true : ({ name }) => mayProceed(name);
    this.tick = new TickClock(now);
  }

  get size(): number {
    return this.#queue.size;
  }

  /** Number of clients with waiting jobs. */
  get clients(): number {
    return this.#queue.clients;
  }

  /**
   * Runs a job to completion, starting in a later tick.
   * @throws CallerGoneError if the caller hangs up before the end; WorkRefusedError; errors of the job
   */
  run<T>(job: Sliced<T>, caller: Caller): Promise<T> {
    return new Promise((resolve, reject) => {
      const advance = (untilMs: number): boolean | Promise<void> => {
        try {
          for (;;) {
            const step = job.next();
            if (step.done === true) {
              resolve(step.value);
              return true;
            }
            if (step.value instanceof Promise) return step.value;
            if (step.value === true || this.#now() >= untilMs) return false;
          }
        } catch (error) {
          reject(error);
          return true;
        }
      };
      const fail = (error: Error): void => {
        // Lets the job release its resources; its return value is not used.
        job.return(undefined as T);
        reject(error);
      };
      this.#add({ caller, advance, fail, isBegun: false, bytes: 0, since: this.#now() });
    });
  }

  /**
   * Runs a short function in a later tick.
   * @param bytes memory that the function holds until then
   * @param work must not throw
   * @param fail called instead with a CallerGoneError or WorkRefusedError, possibly before this returns
   */
  add(caller: Caller, bytes: number, work: () => void, fail: (error: Error) => void): void {
    const advance = (): boolean => {
      work();
      return true;
    };
    this.#add({ caller, advance, fail, isBegun: false, bytes, since: this.#now() });
  }

  /** Resumes work; must be called when `mayProceed` starts to allow a client. */
  resume(): void {
    if (this.#queue.size > 0) this.#schedule();
  }

  #add(job: Job): void {
    const { maxWaiting = Number.POSITIVE_INFINITY, maxWaitingBytes = Number.POSITIVE_INFINITY } =
      this.#options;
    const queue = this.#queue;
    queue.push(queue.client(job.caller.client), job);
    while (queue.size > maxWaiting || queue.bytes > maxWaitingBytes) {
      queue.takeFromLargest()?.fail(new WorkRefusedError('too many jobs are waiting'));
    }
    this.#sweeping ??= setTimeout(() => this.#sweep(), SWEEP_MS).unref();
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#tickStartMs = this.#now();
      if (this.#options.isSynchronous !== true) this.#nextJob();
      else while (this.#nextJob());
    });
  }

  /** Returns false once no job may run in this tick. */
  #nextJob(): boolean {
    const now = this.#now();
    if (this.#charged !== undefined) {
      this.#queue.charge(this.#charged, now - this.#stepStartMs);
      this.#charged = undefined;
    }
    if (now - this.#tickStartMs >= this.#tickBudgetMs) {
      this.#isScheduled = false;
      this.resume();
      return false;
    }
    const taken = this.#queue.take(now, this.#mayTake);
    if (taken === undefined) {
      this.#isScheduled = false;
      return false;
    }
    const [client, job] = taken;
    this.#charged = client;
    this.#stepStartMs = now;
    // A microtask, so that the nextTick it requests runs after all promise callbacks of the job.
    if (this.#options.isSynchronous !== true) queueMicrotask(this.#afterPromises);
    if (job.caller.isGone) {
      job.fail(GONE);
      return true;
    }
    job.isBegun = true;
    // The job is queued behind the client's other jobs, so that a short one need not wait for all of a long one.
    const outcome = job.advance(now + SLICE_MS);
    const addAgain = (): void => this.#add(job);
    if (outcome === false) this.#queue.push(client, job);
    else if (outcome !== true) outcome.then(addAgain, addAgain);
    return true;
  }

  #sweep(): void {
    this.#sweeping = undefined;
    const { maxWaitMs = Number.POSITIVE_INFINITY } = this.#options;
    const now = this.#now();
    let dropped = 0;
    const patienceOf = ({ allowance }: Caller) =>
      Math.min(maxWaitMs, allowance?.ms ?? Number.POSITIVE_INFINITY);
    const isOver = ({ caller, isBegun, since }: Job) =>
      (caller.isGone || (!isBegun && now - since > patienceOf(caller))) && dropped++ < MAX_DROPPED;
    for (const { caller, fail } of this.#queue.drop(isOver)) {
      const late = `the job waited for more than ${patienceOf(caller)} ms`;
      fail(caller.isGone ? GONE : new WorkRefusedError(late));
    }
    if (this.#queue.size > 0) this.#sweeping = setTimeout(() => this.#sweep(), SWEEP_MS).unref();
  }
}
