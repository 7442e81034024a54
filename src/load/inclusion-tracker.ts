/** A lane of a load account, and what was sent in it and is not in a block yet. */
class TrackedLane {
  /** When the transaction with nonce `#first + index` was sent; undefined where it was not accepted yet, or by nobody. */
  readonly #sentAt: (number | undefined)[] = [];
  #first = 0n;

  accepted(nonce: bigint, sentAtMs: number): boolean {
    if (nonce < this.#first) return false;
    this.#sentAt[Number(nonce - this.#first)] = sentAtMs;
    return true;
  }

  /** Gives the times of those that are in blocks now that the account expects `next`. */
  advance(next: bigint): number[] {
    if (next <= this.#first) return [];
    const passed = this.#sentAt.splice(0, Number(next - this.#first)).filter((at) => at !== undefined);
    this.#first = next;
    return passed;
  }
}

/** A transaction that the node has taken. */
export interface AcceptedTransaction {
  /** Its account's number. */
  readonly account: number;
  readonly lane: number;
  readonly nonce: bigint;
  readonly sentAtMs: number;
  /** For one that is in a block before its acknowledgement came. */
  readonly nowMs: number;
}

/**
 * Knows of every transaction when it was sent and when it was seen in a block. Nonces of a lane go into blocks in order, so
 * the account's next nonce says all about the lane: one question about all accounts a block is enough, however many
 * transactions are under way.
 */
export class InclusionTracker {
  readonly #lanes = new Map<string, TrackedLane>();
  readonly #onSealed: (latencyMs: number) => void;
  #waiting = 0;

  constructor(onSealed: (latencyMs: number) => void) {
    this.#onSealed = onSealed;
  }

  /** How many are accepted and not seen in a block. */
  get waiting(): number {
    return this.#waiting;
  }

  accepted({ account, lane, nonce, sentAtMs, nowMs }: AcceptedTransaction): void {
    if (this.#lane(account, lane).accepted(nonce, sentAtMs)) this.#waiting++;
    else this.#onSealed(nowMs - sentAtMs);
  }

  /** Tells the nonce that an account expects next in a lane. */
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
