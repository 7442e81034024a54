import type { Cancel } from '../../async/runtime.js';
import { EventQueue, type Scheduled } from './event-queue.js';
import type { Random } from './random.js';

/** The virtual time and randomness of a run. */
export class Timeline {
  readonly random: Random;
  nowMs = 0;
  readonly #queue = new EventQueue();

  constructor(random: Random) {
    this.random = random;
  }

  after(delayMs: number, run: () => void): Cancel {
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
      // Something that was begun outside of an event may schedule one.
      await settled();
      event = this.#nextEvent();
    }
    if (event === undefined) return false;
    this.nowMs = event.atMs;
    event.run?.();
    await settled();
    return true;
  }

  #nextEvent(): Scheduled | undefined {
    let event = this.#queue.pop();
    while (event !== undefined && event.run === undefined) event = this.#queue.pop();
    return event;
  }
}

/** Resolves after all promises that can settle without an event of the system: Node runs ticks between microtasks. */
function settled(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
