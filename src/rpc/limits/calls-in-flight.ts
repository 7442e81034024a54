import type { Client } from '../../async/caller.js';
import { FairSlots, isSlot, type Slot } from '../../async/fair-slots.js';

/** Counts calls waiting for an answer, in this thread and in all threads that share the same memory. */
export class CallsInFlight {
  readonly #all: FairSlots;
  #own = 0;

  /** @param memory from `FairSlots.memory`; by default private to this instance */
  constructor(memory?: SharedArrayBuffer) {
    this.#all = new FairSlots(memory);
  }

  get own(): number {
    return this.#own;
  }

  get all(): number {
    return this.#all.used;
  }

  /** @returns undefined if the client may not have another of the `most` slots */
  tryEnter(most: number, caller: Client): Slot | undefined {
    const place = this.#all.tryAcquire(most, caller);
    if (!isSlot(place)) return undefined;
    this.#own++;
    return place;
  }

  /** Counts a call that already holds this slot, or that started before it was known to wait. */
  enter(place?: Slot): Slot {
    this.#own++;
    return this.#all.acquire(place);
  }

  leave(place: Slot): void {
    this.#own--;
    this.#all.release(place);
  }
}
