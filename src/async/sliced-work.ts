import type { Caller } from './caller.js';
import { FairQueue, type QueueClient, type Queued } from './fair-queue.js';
import { TickClock } from './tick-clock.js';

/** How long a turn of the event loop is taken up by such work, in milliseconds. */
const TICK_BUDGET_MS = 4;
/** How long a job goes on before it is another one's turn. */
const SLICE_MS = 1;
/** Milliseconds between sweeps of the waiting jobs. */
const SWEEP_MS = 100;
/** Jobs that one sweep drops at most. */
const MAX_DROPPED = 1_000;

/**
 * Work that can be left off wherever it yields, which it does after much less than a millisecond each time. It yields true
 * after starting something that goes on in promises: they get on before any other job does. To pause, it
 * yields a promise, which must also settle after the caller hung up.
 */
export type Sliced<T> = Generator<boolean | Promise<void> | undefined, T>;

/** Nobody waits for the result any more. */
export class CallerGoneError extends Error {
  override readonly name = 'CallerGoneError';

  constructor() {
    super('nobody waits for it any more');
  }
}

/** Shared: thousands may fail at once, and stack traces are expensive. */
const GONE = new CallerGoneError();

/** The queue is full, or the job has waited too long. */
export class WorkRefusedError extends Error {
  override readonly name = 'WorkRefusedError';
}

export interface SlicedWorkOptions {
  /** Milliseconds; default `performance.now`. */
  readonly now?: () => number;
  /** How long a turn of the event loop is taken up, in milliseconds; default 4. */
  readonly tickBudgetMs?: number;
  /** Jobs that may wait, and their bytes; beyond that, clients with the most lose their newest. Default: no bound. */
  readonly maxWaiting?: number;
  readonly maxWaitingBytes?: number;
  /** How long a job may wait to begin, in milliseconds; default: no bound. */
  readonly maxWaitMs?: number;
  /** Whether a client's jobs may go on now; see {@link SlicedWork.resume}. Default: all may. */
  readonly mayProceed?: (client: string) => boolean;
}

interface Job extends Queued {
  readonly caller: Caller;
  isBegun: boolean;
  /** Goes on for a slice. @returns whether it is over, or a promise to wait for */
  readonly advance: (untilMs: number) => boolean | Promise<void>;
  readonly fail: (error: Error) => void;
}

/**
 * Work of a thread that serves others, done a little in each turn of its event loop, so that no turn is long however much there
 * is to do. Clients get equal shares of that time; promise callbacks count as the time of the job that caused them.
 */
export class SlicedWork {
  /** Of the thread, for whoever has to decide whether to do something at once. */
  readonly tick: TickClock;
  readonly #queue = new FairQueue<Job>();
  readonly #options: SlicedWorkOptions;
  readonly #now: () => number;
  readonly #tickBudgetMs: number;
  readonly #mayTake: (client: QueueClient<Job>) => boolean;
  readonly #step = (): void => this.#nextJob();
  readonly #afterPromises = (): void => process.nextTick(this.#step);
  #isScheduled = false;
  #sweeping: NodeJS.Timeout | undefined;
  #tickStartMs = 0;
  /** Whose job went on in the last step, and when that began. */
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

  /** How many jobs wait. */
  get size(): number {
    return this.#queue.size;
  }

  /**
   * Does a job to its end, beginning in a later turn.
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
        // What it holds is given back; what it would return is for nobody.
        job.return(undefined as T);
        reject(error);
      };
      this.#add({ caller, advance, fail, isBegun: false, bytes: 0, since: this.#now() });
    });
  }

  /**
   * Does something short in a later turn.
   * @param bytes that it keeps in memory until then
   * @param work must not throw
   * @param fail called instead with a CallerGoneError or WorkRefusedError; may be called before this returns
   */
  add(caller: Caller, bytes: number, work: () => void, fail: (error: Error) => void): void {
    const advance = (): boolean => {
      work();
      return true;
    };
    this.#add({ caller, advance, fail, isBegun: false, bytes, since: this.#now() });
  }

  /** To be called when clients may go on that could not. */
  resume(): void {
    if (this.#queue.size > 0) this.#schedule();
  }

  #add(job: Job): void {
    const { maxWaiting = Number.POSITIVE_INFINITY, maxWaitingBytes = Number.POSITIVE_INFINITY } =
      this.#options;
    const queue = this.#queue;
    queue.push(queue.client(job.caller.client), job);
    while (queue.size > maxWaiting || queue.bytes > maxWaitingBytes) {
      queue.takeFromLargest()?.fail(new WorkRefusedError('too much work waits already'));
    }
    this.#sweeping ??= setTimeout(() => this.#sweep(), SWEEP_MS).unref();
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#tickStartMs = this.#now();
      this.#nextJob();
    });
  }

  #nextJob(): void {
    const now = this.#now();
    if (this.#charged !== undefined) {
      this.#queue.charge(this.#charged, now - this.#stepStartMs);
      this.#charged = undefined;
    }
    if (now - this.#tickStartMs >= this.#tickBudgetMs) {
      this.#endTick();
      return;
    }
    const taken = this.#queue.take(now, this.#mayTake);
    if (taken === undefined) {
      this.#isScheduled = false;
      return;
    }
    const [client, job] = taken;
    this.#charged = client;
    this.#stepStartMs = now;
    // A microtask: the tick that it asks for comes after all that the job leaves to promises.
    queueMicrotask(this.#afterPromises);
    if (job.caller.isGone) {
      job.fail(GONE);
      return;
    }
    job.isBegun = true;
    // Behind the client's other jobs: a short one need not wait for all of a long one.
    const outcome = job.advance(now + SLICE_MS);
    const addAgain = (): void => this.#add(job);
    if (outcome === false) this.#queue.push(client, job);
    else if (outcome !== true) outcome.then(addAgain, addAgain);
  }

  #endTick(): void {
    this.#isScheduled = false;
    if (this.#queue.size > 0) this.#schedule();
  }

  /** Drops jobs of callers that hung up, and jobs that have waited too long. */
  #sweep(): void {
    this.#sweeping = undefined;
    const { maxWaitMs = Number.POSITIVE_INFINITY } = this.#options;
    const now = this.#now();
    let dropped = 0;
    const isOver = ({ caller, isBegun, since }: Job) =>
      (caller.isGone || (!isBegun && now - since > maxWaitMs)) && dropped++ < MAX_DROPPED;
    for (const job of this.#queue.drop(isOver)) {
      job.fail(job.caller.isGone ? GONE : new WorkRefusedError(`it waited for ${maxWaitMs} ms`));
    }
    if (this.#queue.size > 0) this.#sweeping = setTimeout(() => this.#sweep(), SWEEP_MS).unref();
  }
}
