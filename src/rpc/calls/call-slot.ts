import type { Slot } from '../../async/slot-pool.js';
import type { Reservation } from '../limits/byte-budget.js';
import type { CallsInFlight } from '../limits/calls-in-flight.js';

/** A waiting call's slot and byte reservation. */
export class CallSlot {
  readonly #calls: CallsInFlight;
  readonly #slot: Slot;
  readonly #reservation: Reservation | undefined;
  #isIn = true;

  constructor(calls: CallsInFlight, place: Slot, taken: Reservation | undefined) {
    this.#calls = calls;
    this.#slot = place;
    this.#reservation = taken;
  }

  release(): void {
    if (!this.#isIn) return;
    this.#isIn = false;
    this.#calls.leave(this.#slot);
    this.#reservation?.release();
  }

  /** Takes the slot again, even if none is free: the call was admitted before and has little left to do. */
  reenter(): void {
    this.#isIn = true;
    this.#calls.enter(this.#slot);
  }
}
