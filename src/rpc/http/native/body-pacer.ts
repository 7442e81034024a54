import { FairQueue, type Queued } from '../../../async/fair-queue.js';
import { TickClock } from '../../../async/tick-clock.js';

/** Bodies that were held back and go on in a turn; the library reads at most 512 KiB at a time, and may do so more than once. */
const BODIES_PER_TICK = 2;
/** What a piece takes of a turn, in milliseconds, as far as taking turns goes. */
const PIECE_MS = 0.5;
/** A turn that has lasted longer lets no more of a body in. */
const MAX_TICK_MS = 2;
/** For so many times as long as pieces took this thread does other things. */
const REST = 3;
/** A shorter rest is none: timers are no finer. */
const MIN_REST_MS = 1;
const MAX_REST_MS = 100;

interface PausedBody extends Queued {
  readonly resume: () => void;
}

/**
 * Lets long bodies in a few pieces at a time, senders in turns, and no faster than a part of this thread's time allows: a hundred of
 * them that come at once would take the thread up for as long as it takes to copy them all, and most would wait to be parsed.
 */
export class BodyPacer {
  readonly #queue = new FairQueue<PausedBody>();
  readonly #now: () => number;
  readonly #tick: TickClock;
  #restsUntil = Number.NEGATIVE_INFINITY;
  #isScheduled = false;

  /** @param now milliseconds, of any clock that only goes forward */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#tick = new TickClock(now);
  }

  /** Whether there is no room now for a further piece of a body. */
  get isBusy(): boolean {
    return this.#tick.elapsedMs() > MAX_TICK_MS || this.#queue.size > 0 || this.#restMs > MIN_REST_MS;
  }

  get #restMs(): number {
    return this.#restsUntil - this.#now();
  }

  /** Told of each piece of a body that goes on. @param ms how long it took to take it in */
  recordPiece(ms: number): void {
    const now = this.#now();
    this.#restsUntil = Math.min(Math.max(this.#restsUntil, now) + REST * ms, now + MAX_REST_MS);
  }

  /**
   * @param sender owner of the address that the body comes from
   * @param resume reads the sender's next piece, when it is its turn
   */
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
