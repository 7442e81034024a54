/** The most bytes that the output and the events of one transaction may have together. */
export const MAX_OUTCOME_BYTES = 1024 * 1024;

/** What an event counts of them beside its topics and data: its contract, and what it takes to hold and show it. */
const EVENT_BYTES = 100;
const TOPIC_BYTES = 32;

/**
 * Counts what a transaction that runs would leave in its receipt. What was taken back no longer counts, so that the
 * bound is also one of what is held while it runs.
 */
export class OutcomeBytes {
  #events = 0;
  #output = 0;

  /** Bytes of the events that count. */
  get events(): number {
    return this.#events;
  }

  /** False, and nothing counted, where it would be too much. */
  addEvent(topics: number, dataBytes: number): boolean {
    const events = this.#events + EVENT_BYTES + TOPIC_BYTES * topics + dataBytes;
    if (events + this.#output > MAX_OUTCOME_BYTES) return false;
    this.#events = events;
    return true;
  }

  /** Takes events back until they have so many bytes, as {@link events} gave them. */
  truncateTo(events: number): void {
    this.#events = events;
  }

  /** Counts an output in place of the one before. False, and nothing counted, where it would be too much. */
  setOutput(bytes: number): boolean {
    if (this.#events + bytes > MAX_OUTCOME_BYTES) return false;
    this.#output = bytes;
    return true;
  }
}
