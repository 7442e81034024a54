import { priorityPrice } from '../ledger/fees.js';
import type { VerifiedTransaction } from '../ledger/verified-transaction.js';
import { HeapNode } from './heap.js';
import type { Lane } from './lane.js';
import type { PendingTransaction, Reception } from './pool-types.js';

/** A transaction in its lane. */
export class Entry {
  readonly arrival: number;
  readonly receivedMs: number;
  /** Its place among those that expire; undefined for one that never does. */
  readonly expiryNode: HeapNode<Entry> | undefined;

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
    this.expiryNode = this.validUntil === undefined ? undefined : new HeapNode<Entry>(this);
  }

  /** Of its sender, 40 lowercase hex digits. */
  get address(): string {
    return this.lane.sender.address;
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
  tip(baseFee: bigint): bigint {
    return priorityPrice(this.transaction.signed.transaction, baseFee);
  }

  view(): PendingTransaction {
    const { transaction, arrival, receivedMs, ready } = this;
    return { transaction, arrival, receivedMs, ready };
  }
}
