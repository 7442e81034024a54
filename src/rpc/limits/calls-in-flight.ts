import type { Client } from '../../async/caller.js';
import { FairSlots, isSlot, type Slot } from '../../async/fair-slots.js';

/** Calls that wait for their answer: of this thread, and of all threads that were given the same memory. */
export class CallsInFlight {
  readonly #all: FairSlots;
  #own = 0;

  /** @param memory of `FairSlots`; left out, nobody else counts */
  constructor(memory?: SharedArrayBuffer) {
    this.#all = new FairSlots(memory);
  }

  get own(): number {
    return this.#own;
  }

  get all(): number {
    return this.#all.used;
  }

  /** @returns undefined where the client gets no place among so many */
  tryEnter(most: number, caller: Client): Slot | undefined {
    const place = this.#all.tryAcquire(most, caller);
    if (!isSlot(place)) return undefined;
    this.#own++;
    return place;
  }

  /** For a call that has had this place, or began before it was known to wait. */
  enter(place?: Slot): Slot {
    this.#own++;
    return this.#all.acquire(place);
  }

  leave(place: Slot): void {
    this.#own--;
    this.#all.release(place);
  }
}
