import { priorityPrice } from '../ledger/fees.js';
import type { VerifiedTransaction } from '../ledger/verified-transaction.js';
import { HeapNode } from './heap.js';
import type { Lane } from './lane.js';
import type { PendingTransaction, Reception } from './pool-types.js';

/** The base fee that the pool's order is for, with a number that changes whenever it does. */
export interface FeeBasis {
  readonly baseFee: bigint;
  readonly version: number;
}

/** A transaction in its lane. */
export class Entry {
  readonly arrival: number;
  readonly receivedMs: number;
  /** Its place among those that expire; not in use for one that never does. */
  readonly expiryNode = new HeapNode<Entry>(this);
  #tip = 0n;
  #tipVersion = -1;

  /**
   * @param cost the most that it can take from its sender
   * @param position its nonce, counted from the lane's origin
   */
  constructor(
    readonly transaction: VerifiedTransaction,
    reception: Reception,
    readonly cost: bigint,
    readonly lane: Lane,
    readonly position: number,
  ) {
    this.arrival = reception.arrival;
    this.receivedMs = reception.receivedMs;
  }

  get bytes(): number {
    return this.transaction.encoded.length;
  }

  get validUntil(): bigint | undefined {
    return this.transaction.signed.transaction.valid_until;
  }

  /** Whether no earlier nonce is missing. */
  get ready(): boolean {
    return this.lane.isReady(this);
  }

  /** What it pays the proposer per unit of gas; negative where its max_fee does not cover the base fee. */
  tip(basis: FeeBasis): bigint {
    if (this.#tipVersion !== basis.version) {
      this.#tip = priorityPrice(this.transaction.signed.transaction, basis.baseFee);
      this.#tipVersion = basis.version;
    }
    return this.#tip;
  }

  view(): PendingTransaction {
    const { transaction, arrival, receivedMs, ready } = this;
    return { transaction, arrival, receivedMs, ready };
  }
}

/** Whether `a` is drawn into a block before `b`: the higher tip, then the earlier arrival. */
export function drawnBefore(a: Entry, b: Entry, basis: FeeBasis): boolean {
  const tipA = a.tip(basis);
  const tipB = b.tip(basis);
  return tipA === tipB ? a.arrival < b.arrival : tipA > tipB;
}

/** Whether `a` expires before `b`. */
export function expiresBefore(a: Entry, b: Entry): boolean {
  const untilA = a.validUntil ?? 0n;
  const untilB = b.validUntil ?? 0n;
  return untilA === untilB ? a.arrival < b.arrival : untilA < untilB;
}
