/** Maximum total size of a transaction's output and events, in bytes. */
export const MAX_OUTCOME_BYTES = 1024 * 1024;

/** Bytes counted per event besides its topics and data: its contract and the overhead of storing and showing it. */
const EVENT_BYTES = 100;
const TOPIC_BYTES = 32;

/** Counts the receipt bytes of a running transaction, without reverted ones: this also bounds memory. */
export class OutcomeBytes {
  #events = 0;
  #output = 0;

  /** Total size of the counted events, in bytes. */
  get events(): number {
    return this.#events;
  }

  /** Counts an event. Returns false and counts nothing if the limit would be exceeded. */
  addEvent(topics: number, dataBytes: number): boolean {
    const events = this.#events + EVENT_BYTES + TOPIC_BYTES * topics + dataBytes;
    if (events + this.#output > MAX_OUTCOME_BYTES) return false;
    this.#events = events;
    return true;
  }

  /** Drops trailing events until their total is `events`, an earlier value of {@link events}. */
  truncateTo(events: number): void {
    this.#events = events;
  }

  /** Replaces the counted output. Returns false and changes nothing if the limit would be exceeded. */
  setOutput(bytes: number): boolean {
    if (this.#events + bytes > MAX_OUTCOME_BYTES) return false;
    this.#output = bytes;
    return true;
  }
}
