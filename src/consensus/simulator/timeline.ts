import { type Cancel, NODE_RUNTIME } from '../../async/runtime.js';
import { EventQueue, type Scheduled } from './event-queue.js';
import type { Random } from './random.js';

/** Turns of the microtask queue without any activity after which an event's consequences have ended. */
const QUIET_TURNS = 12;

/** The virtual time and randomness of a run. */
export class Timeline {
  readonly random: Random;
  nowMs = 0;
  /** Counts everything that processes do outside of themselves. */
  activity = 0;
  readonly #queue = new EventQueue();

  constructor(random: Random) {
    this.random = random;
  }

  after(delayMs: number, run: () => void): Cancel {
    this.activity++;
    const event = this.#queue.push(this.nowMs + delayMs, run);
    return () => {
      event.run = undefined;
    };
  }

  /**
   * Runs the next event and all that follows from it without time passing.
   * @returns false if no event is left
   */
  async next(): Promise<boolean> {
    let event = this.#nextEvent();
    if (event === undefined) {
      // A real turn of the event loop ends all promises that can still settle.
      await NODE_RUNTIME.nextTurn();
      event = this.#nextEvent();
    }
    if (event === undefined) return false;
    this.nowMs = event.atMs;
    event.run?.();
    for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
      const before = this.activity;
      await undefined;
      if (this.activity !== before) quiet = 0;
    }
    return true;
  }

  #nextEvent(): Scheduled | undefined {
    let event = this.#queue.pop();
    while (event !== undefined && event.run === undefined) event = this.#queue.pop();
    return event;
  }
}
