/** Transactions later than this are dropped, so that a delayed load does not catch up in a flood. */
const MAX_BEHIND_MS = 1_000;

/** Says when a load's transactions are due. Each planned one is either sent or held back. */
export class SendSchedule {
  readonly #rate: number;
  readonly #durationMs: number;
  /** Number of planned transactions that were sent or held back. */
  #settled = 0;

  /** @param rate transactions per second */
  constructor(rate: number, durationMs: number) {
    this.#rate = rate;
    this.#durationMs = durationMs;
  }

  /** @param room number of transactions that may be sent. @returns how many to send, and how many are too late */
  next(elapsedMs: number, room: number): { readonly send: number; readonly heldBack: number } {
    const due = this.#dueAt(elapsedMs);
    const send = Math.max(0, Math.min(due, room));
    const waiting = Math.ceil((this.#rate * MAX_BEHIND_MS) / 1_000);
    const heldBack = Math.max(0, due - send - waiting);
    this.#settled += send + heldBack;
    return { send, heldBack };
  }

  /** Ends the load. @returns number of transactions that were due but not sent */
  end(elapsedMs: number): number {
    const heldBack = this.#dueAt(elapsedMs);
    this.#settled += heldBack;
    return heldBack;
  }

  /** Number of transactions planned up to now that are neither sent nor held back. */
  #dueAt(elapsedMs: number): number {
    return Math.floor((this.#rate * Math.min(elapsedMs, this.#durationMs)) / 1_000) - this.#settled;
  }
}
