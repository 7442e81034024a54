import { type AttachedWriteLog, createClaim } from '../tracing/replay-messages.js';

/** Number of write logs created so far. */
let made = 0;

/** A cached write log: the writes of the block's first transactions. It grows by one part per round. */
export class GrowingWriteLog implements AttachedWriteLog {
  readonly height: number;
  /** Creation order: greater than that of earlier write logs. */
  readonly begun: number;
  readonly claim: SharedArrayBuffer = createClaim();
  /** Names of the clients that have a request in the round. */
  readonly asked = new Set<string>();
  /** Names of the clients that may wait for this write log. */
  readonly clients = new Set<string>();
  /** Greatest number of transactions requested. */
  wanted = 0;
  #parts: readonly SharedArrayBuffer[] = [];
  #covered = 0;
  #bytes = 0;
  #round = 1;
  #tickets = 0;

  constructor(height: number) {
    this.height = height;
    made++;
    this.begun = made;
  }

  get parts(): readonly SharedArrayBuffer[] {
    return this.#parts;
  }

  get covered(): number {
    return this.#covered;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get round(): number {
    return this.#round;
  }

  /** Returns a number unique among the requests of the round. */
  nextTicket(): number {
    this.#tickets++;
    return this.#tickets;
  }

  /** Appends the part made by the round. @throws RangeError if it does not follow the last part */
  grow(part: SharedArrayBuffer, covered: number): void {
    const first = new DataView(part).getUint32(0, true);
    if (first !== this.#covered || covered <= first) {
      throw new RangeError(
        `block ${this.height}: expected a part that begins at transaction ${this.#covered}, got ${first} to ${covered}`,
      );
    }
    this.#parts = [...this.#parts, part];
    this.#covered = covered;
    this.#bytes += part.byteLength;
  }

  nextRound(): void {
    this.#round++;
    this.#tickets = 0;
    this.asked.clear();
  }

  /** Releases the write log's memory; calls that it is attached to see it empty. */
  cancel(): void {
    this.#parts = [];
    this.#covered = 0;
    this.#bytes = 0;
    this.nextRound();
  }
}
