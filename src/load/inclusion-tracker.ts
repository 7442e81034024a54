/** Transactions of one account lane that are not in a block yet. */
class TrackedLane {
  /** Send time of the transaction with nonce `#first + index`; undefined if it has not been accepted. */
  readonly #sentAt: (number | undefined)[] = [];
  #first = 0n;

  accepted(nonce: bigint, sentAtMs: number): boolean {
    if (nonce < this.#first) return false;
    this.#sentAt[Number(nonce - this.#first)] = sentAtMs;
    return true;
  }

  /** Advances to nonce `next` and returns the send times of the transactions that are now in blocks. */
  advance(next: bigint): number[] {
    if (next <= this.#first) return [];
    const passed = this.#sentAt.splice(0, Number(next - this.#first)).filter((at) => at !== undefined);
    this.#first = next;
    return passed;
  }
}

export interface AcceptedTransaction {
  readonly account: number;
  readonly lane: number;
  readonly nonce: bigint;
  readonly sentAtMs: number;
  /** Time of the acknowledgement; also the inclusion time if the transaction was already in a block by then. */
  readonly nowMs: number;
}

/**
 * Measures the time from sending to inclusion. Nonces of a lane enter blocks in order, so the next nonces alone show
 * which transactions are included: one query for all accounts per block is enough for any number in flight.
 */
export class InclusionTracker {
  readonly #lanes = new Map<string, TrackedLane>();
  readonly #onSealed: (latencyMs: number) => void;
  #waiting = 0;

  constructor(onSealed: (latencyMs: number) => void) {
    this.#onSealed = onSealed;
  }

  /** Number of transactions accepted but not yet seen in a block. */
  get waiting(): number {
    return this.#waiting;
  }

  accepted({ account, lane, nonce, sentAtMs, nowMs }: AcceptedTransaction): void {
    if (this.#lane(account, lane).accepted(nonce, sentAtMs)) this.#waiting++;
    else this.#onSealed(nowMs - sentAtMs);
  }

  /** Records the next nonce of an account's lane. */
  advance(account: number, lane: number, next: bigint, nowMs: number): void {
    const passed = this.#lane(account, lane).advance(next);
    this.#waiting -= passed.length;
    for (const sentAtMs of passed) this.#onSealed(nowMs - sentAtMs);
  }

  #lane(account: number, lane: number): TrackedLane {
    const key = `${account}/${lane}`;
    let tracked = this.#lanes.get(key);
    if (tracked === undefined) {
      tracked = new TrackedLane();
      this.#lanes.set(key, tracked);
    }
    return tracked;
  }
}
