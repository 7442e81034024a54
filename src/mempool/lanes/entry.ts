import { effectivePriorityFee } from '../../ledger/fees.js';
import type { AddressHex } from '../../ledger/hex-types.js';
import type { VerifiedTransaction } from '../../ledger/transaction-envelope.js';
import type { PendingTransaction, Reception } from '../pool-types.js';
import { gasSize } from './gas-size.js';
import { HeapNode } from './heap.js';
import type { Lane } from './lane.js';

/** A transaction in its lane. */
export class Entry {
  readonly arrival: number;
  readonly receivedMs: number;
  /** Whether it is counted as one behind a gap; see `GappedBook`. */
  gapped = false;
  /** Since when it has been, on the pool's clock. */
  gappedSinceMs = 0;
  /** The size of its gas limit; see `heads.ts`. */
  readonly gasSize: number;
  /** Its place among those that expire; undefined for one that never does. */
  readonly expiryNode: HeapNode<Entry> | undefined;
  /** Least max_fee and priority_fee of it and of those before it in its lane. */
  #minFee: bigint;
  #minPriorityFee: bigint;

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
    const { max_fee, priority_fee, gas_limit } = transaction.signed.transaction;
    this.gasSize = gasSize(gas_limit);
    this.#minFee = max_fee;
    this.#minPriorityFee = priority_fee;
  }

  /** Of its sender. */
  get address(): AddressHex {
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

  /**
   * What a place in the pool is worth to it: no more than the least tip of those in its lane that have to be included
   * before it, as the last block found them. Of use only while it is ready.
   */
  worth(baseFee: bigint): bigint {
    const room = this.#minFee - baseFee;
    const priority = this.#minPriorityFee;
    if (priority > room) return room;
    return priority;
  }

  /** Tells what is right before it in its lane, so that {@link worth} counts it and all before that. */
  setPredecessor(before: Entry | undefined): void {
    const { max_fee, priority_fee } = this.transaction.signed.transaction;
    this.#minFee = max_fee;
    this.#minPriorityFee = priority_fee;
    if (before === undefined) return;
    if (before.#minFee < max_fee) this.#minFee = before.#minFee;
    if (before.#minPriorityFee < priority_fee) this.#minPriorityFee = before.#minPriorityFee;
  }

  /**
   * As {@link setPredecessor}.
   * @returns whether that changed anything
   */
  updatePredecessor(before: Entry | undefined): boolean {
    const fee = this.#minFee;
    const priority = this.#minPriorityFee;
    this.setPredecessor(before);
    return this.#minFee !== fee || this.#minPriorityFee !== priority;
  }

  /** What it pays the proposer per unit of gas; negative where its max_fee does not cover the base fee. */
  tip(baseFee: bigint): bigint {
    return effectivePriorityFee(this.transaction.signed.transaction, baseFee);
  }

  view(): PendingTransaction {
    const { transaction, arrival, receivedMs, ready } = this;
    return { transaction, arrival, receivedMs, ready };
  }
}
