import { effectivePriorityFee } from '../../ledger/fees.js';
import type { AddressHex } from '../../ledger/hex-types.js';
import type { VerifiedTransaction } from '../../ledger/transaction-envelope.js';
import type { PendingTransaction, Reception } from '../pool-types.js';
import { gasSize } from './gas-size.js';
import { type Heap, HeapNode } from './heap.js';
import { NonceQueue, type QueuedEntry } from './nonce-queue.js';

/** A transaction in its lane. */
export class Entry implements QueuedEntry<Entry> {
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

/** A sender's queue of one lane. */
export class Lane extends NonceQueue<Entry> {
  /** Its place among the heads that a block is drawn from. */
  readonly headNode = new HeapNode<Lane>(this);
  /** The heap that the head's node is in. */
  heads: Heap<Lane> | undefined;
  /** Its place among the ready ends that make room. */
  readonly endNode = new HeapNode<Lane>(this);

  /** @param nextNonce the nonce that the account expects next in this lane */
  constructor(
    readonly sender: Sender,
    readonly id: number,
    nextNonce: bigint,
  ) {
    super(nextNonce);
  }
}

/** What one account has in the pool. */
export class Sender {
  /** The lanes with transactions waiting, by number. */
  readonly lanes = new Map<number, Lane>();
  /** The most that all its transactions together can take from it. */
  cost = 0n;
  size = 0;
  /** The places that its transactions behind gaps take. */
  gappedPlaces = 0;
  /** Its place among the senders that make room behind gaps. */
  readonly gappedNode = new HeapNode<Sender>(this);

  constructor(readonly address: AddressHex) {}

  /** The transaction that waits with a nonce of a lane. */
  find(lane: number, nonce: bigint): Entry | undefined {
    return this.lanes.get(lane)?.find(nonce);
  }

  /** The lane, opened where it has nothing waiting yet. */
  open(id: number, accountNonce: bigint): Lane {
    let lane = this.lanes.get(id);
    if (lane === undefined) {
      lane = new Lane(this, id, accountNonce);
      this.lanes.set(id, lane);
    }
    return lane;
  }

  /** Of the last transactions of its lanes the one that came last: what goes first when the account cannot pay for all. */
  newestTail(): Entry | undefined {
    let newest: Entry | undefined;
    for (const { tail } of this.lanes.values()) {
      if (tail !== undefined && (newest === undefined || tail.arrival > newest.arrival)) newest = tail;
    }
    return newest;
  }

  *entries(): IterableIterator<Entry> {
    for (const lane of this.lanes.values()) yield* lane.entries();
  }
}
