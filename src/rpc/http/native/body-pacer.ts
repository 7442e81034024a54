import { FairQueue, type Queued } from '../../../async/fair-queue.js';
import { TickClock } from '../../../async/tick-clock.js';

/** Number of paused bodies resumed per tick; the library reads at most 512 KiB at a time, possibly more than once. */
const BODIES_PER_TICK = 2;
/** Assumed cost of a piece for fair scheduling, in milliseconds. */
const PIECE_MS = 0.5;
/** Once a tick has lasted this long, no more body data is read in it. */
const MAX_TICK_MS = 2;
/** Reading pauses between pieces for this multiple of the time that the pieces took. */
const REST = 3;
/** Shorter pauses are skipped, because timers are not that precise. */
const MIN_REST_MS = 1;
const MAX_REST_MS = 100;

interface PausedBody extends Queued {
  readonly resume: () => void;
}

/**
 * Reads long bodies a few pieces at a time, alternating between senders and using only part of this thread's time. A
 * hundred bodies arriving at once would otherwise block the thread while all are copied, and most would then only wait
 * to be parsed.
 */
export class BodyPacer {
  readonly #queue = new FairQueue<PausedBody>();
  readonly #now: () => number;
  readonly #tick: TickClock;
  #restsUntil = Number.NEGATIVE_INFINITY;
  #isScheduled = false;

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#tick = new TickClock(now);
  }

  /** True if another piece of a body must wait. */
  get isBusy(): boolean {
    return this.#tick.elapsedMs() > MAX_TICK_MS || this.#queue.size > 0 || this.#restMs > MIN_REST_MS;
  }

  get #restMs(): number {
    return this.#restsUntil - this.#now();
  }

  /** Called for each piece of an unfinished body. @param ms time spent on copying it */
  recordPiece(ms: number): void {
    const now = this.#now();
    this.#restsUntil = Math.min(Math.max(this.#restsUntil, now) + REST * ms, now + MAX_REST_MS);
  }

  /** @param sender see `clientOfAddress` @param resume called at the sender's turn, to read its next piece */
  wait(sender: string, resume: () => void): void {
    this.#queue.push(this.#queue.client(sender), { resume, bytes: 0, since: this.#now() });
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const letIn = () => {
      this.#isScheduled = false;
      this.#resumeNext();
    };
    const rest = this.#restMs;
    if (rest > MIN_REST_MS) setTimeout(letIn, rest);
    else setImmediate(letIn);
  }

  #resumeNext(): void {
    const now = this.#now();
    if (this.#restMs <= MIN_REST_MS) {
      for (let bodies = 0; bodies < BODIES_PER_TICK; bodies++) {
        const taken = this.#queue.take(now, () => true);
        if (taken === undefined) return;
        const [client, { resume }] = taken;
        this.#queue.charge(client, PIECE_MS);
        resume();
      }
    }
    if (this.#queue.size > 0) this.#schedule();
  }
}
