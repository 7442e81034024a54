import type { Client } from '../../async/caller.js';
import { FairPlaces, isPlace, type Place } from '../../async/fair-places.js';

/** Calls that wait for their answer: of this thread, and of all threads that were given the same memory. */
export class CallsInFlight {
  readonly #all: FairPlaces;
  #own = 0;

  /** @param memory of `FairPlaces`; left out, nobody else counts */
  constructor(memory?: SharedArrayBuffer) {
    this.#all = new FairPlaces(memory);
  }

  get own(): number {
    return this.#own;
  }

  get all(): number {
    return this.#all.taken;
  }

  /** @returns undefined where the client gets no place among so many */
  tryEnter(most: number, caller: Client): Place | undefined {
    const place = this.#all.tryTake(most, caller);
    if (!isPlace(place)) return undefined;
    this.#own++;
    return place;
  }

  /** For a call that has had this place, or began before it was known to wait. */
  enter(place?: Place): Place {
    this.#own++;
    return this.#all.take(place);
  }

  leave(place: Place): void {
    this.#own--;
    this.#all.leave(place);
  }
}
