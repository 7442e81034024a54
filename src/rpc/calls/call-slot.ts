import type { Slot } from '../../async/slot-pool.js';
import type { Limits } from '../../config/limits.js';
import { overloaded } from '../domain-errors.js';
import type { InvocationContext } from '../handlers.js';
import type { ByteBudget, Reservation } from '../limits/byte-budget.js';
import type { CallsInFlight } from '../limits/calls-in-flight.js';
import type { RpcMetrics } from '../metrics/rpc-metrics.js';

export interface SlotSources {
  readonly limits: Limits;
  readonly metrics: RpcMetrics;
  /** The process-wide budget; waiting calls reserve the size of their text. */
  readonly budget: ByteBudget;
}

/** @throws RpcError overloaded */
export function acquireSlot(
  { limits, metrics, budget }: SlotSources,
  bytes: number,
  context: InvocationContext,
): CallSlot {
  const { callsInFlight, overloads } = metrics;
  const slot = callsInFlight.tryEnter(limits.maxCallsInFlight, context);
  if (slot === undefined) {
    overloads.calls++;
    throw overloaded();
  }
  const taken = budget.reserve(bytes, context);
  if (taken === undefined) {
    overloads.bytes++;
    callsInFlight.leave(slot);
    throw overloaded();
  }
  return new CallSlot(callsInFlight, slot, taken);
}

/** Takes a slot for a method that turns out to be asynchronous on its first call. */
export function extraSlot({ metrics: { callsInFlight } }: SlotSources): CallSlot {
  return new CallSlot(callsInFlight, callsInFlight.enter(), undefined);
}

export class CallSlot {
  readonly #calls: CallsInFlight;
  readonly #slot: Slot;
  readonly #reservation: Reservation | undefined;
  #isIn = true;

  constructor(calls: CallsInFlight, slot: Slot, taken: Reservation | undefined) {
    this.#calls = calls;
    this.#slot = slot;
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
