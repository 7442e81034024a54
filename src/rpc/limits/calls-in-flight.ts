import type { ChargedClient } from '../../async/caller.js';
import { isSlot, type Slot, SlotPool } from '../../async/slot-pool.js';

/** Counts calls waiting for an answer, in this thread and in all threads that share the same memory. */
export class CallsInFlight {
  readonly #all: SlotPool;
  own = 0;

  /** @param memory from `SlotPool.memory`; by default private to this instance */
  constructor(memory?: SharedArrayBuffer) {
    this.#all = new SlotPool(memory);
  }

  get all(): number {
    return this.#all.used;
  }

  /** @returns undefined if the client may not have another of the `most` slots */
  tryEnter(max: number, caller: ChargedClient): Slot | undefined {
    const slot = this.#all.tryAcquire(max, caller);
    if (!isSlot(slot)) return undefined;
    this.own++;
    return slot;
  }

  /** Counts a call that already holds this slot, or that started before it was known to wait. */
  enter(slot?: Slot): Slot {
    this.own++;
    return this.#all.acquire(slot);
  }

  leave(slot: Slot): void {
    this.own--;
    this.#all.release(slot);
  }
}
