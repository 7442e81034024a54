import { FairQueue, type Queued } from '../../async/fair-queue.js';
import { TurnClock } from '../../async/turn-clock.js';

/** Pieces of bodies that were held back and are let in in a turn; the library reads at most 512 KiB at a time. */
const PIECES_A_TURN = 4;
/** What a piece takes of a turn, in milliseconds, as far as taking turns goes. */
const PIECE_MS = 0.5;
/** A turn that has lasted longer lets no more of a body in. */
const MAX_TURN_MS = 2;

interface HeldBack extends Queued {
  readonly goOn: () => void;
}

/**
 * Lets long bodies in a few pieces at a time, senders in turns: a hundred of them that come at once would take up the thread
 * for as long as it takes to copy them all.
 */
export class BodyPacer {
  readonly #queue = new FairQueue<HeldBack>();
  readonly #turn = new TurnClock();
  #isScheduled = false;

  /** Whether this turn has no room for a further piece of a body. */
  get isBusy(): boolean {
    return this.#turn.elapsedMs() > MAX_TURN_MS || this.#queue.size > 0;
  }

  /** @param goOn reads the sender's next piece, when it is its turn */
  wait(sender: string, goOn: () => void): void {
    this.#queue.push(this.#queue.client(sender), { goOn, bytes: 0, since: performance.now() });
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#letIn();
    });
  }

  #letIn(): void {
    const now = performance.now();
    for (let pieces = 0; pieces < PIECES_A_TURN; pieces++) {
      const taken = this.#queue.take(now, () => true);
      if (taken === undefined) return;
      const [client, { goOn }] = taken;
      this.#queue.charge(client, PIECE_MS);
      goOn();
    }
    if (this.#queue.size > 0) this.#schedule();
  }
}
