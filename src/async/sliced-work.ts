import type { Caller } from './caller.js';
import { FairQueue, type Queued } from './fair-queue.js';
import { TurnClock } from './turn-clock.js';

/** How long a turn of the event loop is taken up by such work, in milliseconds. */
const TURN_MS = 4;
/** How long a job goes on before it is another one's turn. */
const SLICE_MS = 1;

/** Work that can be left off wherever it yields, which it does after much less than a millisecond each time. */
export type Sliced<T> = Generator<void, T>;

/** Nobody waits for the result any more. */
export class CallerGoneError extends Error {
  override readonly name = 'CallerGoneError';

  constructor() {
    super('nobody waits for it any more');
  }
}

interface Job extends Queued {
  readonly caller: Caller;
  /** Goes on for a slice. @returns whether it is over */
  readonly goOn: (untilMs: number) => boolean;
  readonly fail: (error: Error) => void;
}

/**
 * Work of a thread that serves others, done a little in each turn of its event loop, so that no turn is long however much there
 * is to do. Clients take turns: each gets the same share of that time.
 */
export class SlicedWork {
  /** Of the thread, for whoever has to decide whether to do something at once. */
  readonly turn: TurnClock;
  readonly #queue = new FairQueue<Job>();
  readonly #now: () => number;
  #isScheduled = false;

  /** @param now milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.turn = new TurnClock(now);
  }

  /**
   * Does a job to its end, beginning in a later turn.
   * @throws CallerGoneError where the caller goes away before it has ended; whatever the job throws
   */
  run<T>(job: Sliced<T>, caller: Caller): Promise<T> {
    return new Promise((resolve, reject) => {
      const goOn = (untilMs: number): boolean => {
        try {
          for (;;) {
            const step = job.next();
            if (step.done === true) {
              resolve(step.value);
              return true;
            }
            if (this.#now() >= untilMs) return false;
          }
        } catch (error) {
          reject(error);
          return true;
        }
      };
      this.#queue.push(this.#queue.client(caller.client), {
        caller,
        goOn,
        fail: (error) => {
          // What it holds is given back; what it would return is for nobody.
          job.return(undefined as T);
          reject(error);
        },
        bytes: 0,
        since: this.#now(),
      });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#turn();
    });
  }

  #turn(): void {
    const begun = this.#now();
    let now = begun;
    while (now - begun < TURN_MS) {
      const taken = this.#queue.take(now, () => true);
      if (taken === undefined) return;
      const [client, job] = taken;
      if (job.caller.isGone) {
        job.fail(new CallerGoneError());
        continue;
      }
      const isOver = job.goOn(now + SLICE_MS);
      const after = this.#now();
      this.#queue.charge(client, after - now);
      // Behind the client's other jobs: a short one need not wait for all of a long one.
      if (!isOver) this.#queue.push(client, job);
      now = after;
    }
    if (this.#queue.size > 0) this.#schedule();
  }
}
