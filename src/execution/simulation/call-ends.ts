import type { CallObserver } from '../../vm/engine.js';

/** Counts how the calls and payments within a transaction end. */
export class CallEnds {
  readonly observer: CallObserver = {
    frameLeft: (_frame, { status }) => this.#count(status),
    balanceSent: (_from, _to, _amount, isDone) => this.#count(isDone ? 'paid' : 'unpaid'),
  };
  readonly #counts = new Map<string, number>();

  equals(other: CallEnds): boolean {
    return (
      this.#counts.size === other.#counts.size &&
      [...this.#counts].every(([end, count]) => other.#counts.get(end) === count)
    );
  }

  #count(end: string): void {
    this.#counts.set(end, (this.#counts.get(end) ?? 0) + 1);
  }
}
