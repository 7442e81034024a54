import { createClaim } from '../tracing/replay-claim.js';
import type { AttachedWriteLog } from '../tracing/replay-messages.js';

/** How many there have been. */
let made = 0;

/** A block's write log while it is kept: what the block's first transactions wrote. It grows in rounds, a part in each. */
export class GrowingWriteLog implements AttachedWriteLog {
  readonly height: number;
  /** Greater than that of those made before. */
  readonly begun: number;
  readonly claim: SharedArrayBuffer = createClaim();
  /** The clients that have a request in the round, by name. */
  readonly asked = new Set<string>();
  /** The clients that may wait for it, by name. */
  readonly clients = new Set<string>();
  /** How many transactions somebody wanted it to cover. */
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

  /** How many transactions of the block it has. */
  get covered(): number {
    return this.#covered;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get round(): number {
    return this.#round;
  }

  /** A number that no other request of the round has. */
  nextTicket(): number {
    this.#tickets++;
    return this.#tickets;
  }

  /**
   * Takes the part that the round made.
   * @throws RangeError if it does not follow the last part
   */
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

  /** Gives up its memory; those that were attached to calls find it empty. */
  giveUp(): void {
    this.#parts = [];
    this.#covered = 0;
    this.#bytes = 0;
    this.nextRound();
  }
}
