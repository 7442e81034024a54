import { GAS } from '../../ledger/gas.js';
import type { AddressHex } from '../../ledger/hex-types.js';
import { opensAt, type VerifiedTransaction } from '../../ledger/transaction-envelope.js';
import type { PendingTransaction, Reception } from '../pool-types.js';
import { type Prices, type SlotOffer, tipAt } from '../prices.js';
import { HeapNode } from './heap.js';
import { NonceQueue, type QueuedEntry } from './nonce-queue.js';

/** A multiple of every number of slots that fits a block: the least common multiple of 1 to 16. */
const RANK_UNIT = 720_720n;
/** More than any fee. */
export const HELD_BACK = 2n ** 129n;

export class Entry implements QueuedEntry<Entry> {
  readonly arrival: number;
  readonly receivedMs: number;
  /** True if the entry counts as gapped; see `GappedBook`. */
  gapped = false;
  /** Time at which the entry became gapped, on the pool's clock. */
  gappedSinceMs = 0;
  /** Size class of its gas limit; see `heads.ts`. */
  readonly gasSize: number;
  /** Node in the heap of expiring entries; undefined if it never expires. */
  readonly expiryNode: HeapNode<Entry> | undefined;
  /** Node in {@link ReadyEnvelopes}; undefined if it is not an envelope. */
  readonly envelopeNode: HeapNode<Entry> | undefined;
  /** Lowest max_fee, priority_fee and price offered for a slot of this entry and its predecessors in the lane. */
  #minFee: bigint;
  #minPriorityFee: bigint;
  #minSlotPrice: bigint | undefined;

  /**
   * @param cost maximum cost to the sender
   * @param offer the opening slots that it reserves
   * @param position the transaction's nonce, counted from the lane's origin
   */
  constructor(
    readonly transaction: VerifiedTransaction,
    reception: Reception,
    readonly cost: bigint,
    readonly offer: SlotOffer,
    readonly lane: Lane,
    readonly position: number,
  ) {
    this.arrival = reception.arrival;
    this.receivedMs = reception.receivedMs;
    this.expiryNode = this.validUntil === undefined ? undefined : new HeapNode<Entry>(this);
    this.envelopeNode = offer.slots === 0 ? undefined : new HeapNode<Entry>(this);
    const { max_fee, priority_fee, gas_limit } = transaction.signed.transaction;
    this.gasSize = gasSize(gas_limit);
    this.#minFee = max_fee;
    this.#minPriorityFee = priority_fee;
    this.#minSlotPrice = offer.maxSlotPrice;
  }

  get address(): AddressHex {
    return this.lane.sender.address;
  }

  get bytes(): number {
    return this.transaction.encoded.length;
  }

  /** Undefined if it is not an envelope. */
  get opensAt(): bigint | undefined {
    return opensAt(this.transaction.signed.transaction);
  }

  get validUntil(): bigint | undefined {
    return this.transaction.signed.transaction.valid_until;
  }

  /** True if no earlier nonce is missing. */
  get ready(): boolean {
    return this.lane.isReady(this);
  }

  /**
   * The value of the entry's place in the pool: the lowest tip of the entry and its predecessors in the lane,
   * computed at the last block. Meaningful only while the entry is ready.
   */
  worth(prices: Prices): bigint {
    const fees = { max_fee: this.#minFee, priority_fee: this.#minPriorityFee };
    return tipAt(fees, this.#minSlotPrice, prices);
  }

  /** Sets its direct predecessor in the lane, so that {@link worth} covers all predecessors. */
  setPredecessor(before: Entry | undefined): void {
    const { max_fee, priority_fee } = this.transaction.signed.transaction;
    this.#minFee = max_fee;
    this.#minPriorityFee = priority_fee;
    this.#minSlotPrice = this.offer.maxSlotPrice;
    if (before === undefined) return;
    const slotPrice = before.#minSlotPrice;
    if (slotPrice !== undefined && (this.#minSlotPrice === undefined || slotPrice < this.#minSlotPrice)) {
      this.#minSlotPrice = slotPrice;
    }
    if (before.#minFee < max_fee) this.#minFee = before.#minFee;
    if (before.#minPriorityFee < priority_fee) this.#minPriorityFee = before.#minPriorityFee;
  }

  /** Like {@link setPredecessor}. @returns whether that changed anything */
  updatePredecessor(before: Entry | undefined): boolean {
    const fee = this.#minFee;
    const priority = this.#minPriorityFee;
    const slotPrice = this.#minSlotPrice;
    this.setPredecessor(before);
    return this.#minFee !== fee || this.#minPriorityFee !== priority || this.#minSlotPrice !== slotPrice;
  }

  /** See {@link tipAt}. */
  tip(prices: Prices): bigint {
    return tipAt(this.transaction.signed.transaction, this.offer.maxSlotPrice, prices);
  }

  /**
   * Rank of an envelope among those that compete for opening slots; see {@link rankOf}. While the prices hold it back,
   * it is the highest base fee at which it could be included, minus {@link HELD_BACK}.
   */
  slotRank(prices: Prices): bigint {
    const tip = this.tip(prices);
    if (tip >= 0n) return rankOf(tip, this.offer.slots);
    const { max_fee: maxFee } = this.transaction.signed.transaction;
    const bySlotPrice = (this.offer.maxSlotPrice ?? 0n) / GAS.seal;
    return (bySlotPrice < maxFee ? bySlotPrice : maxFee) - HELD_BACK;
  }

  view(): PendingTransaction {
    const { transaction, arrival, receivedMs, ready } = this;
    return { transaction, arrival, receivedMs, ready };
  }
}

/** Rank of an envelope for opening slots: its tip per slot, in an exact unit. Negative tips stay. */
export function rankOf(tip: bigint, slots: number): bigint {
  return tip < 0n ? tip : (tip * RANK_UNIT) / BigInt(slots);
}

interface HeadPlace {
  put(node: HeapNode<Lane>, rank: bigint, arrival: number): void;
  remove(node: HeapNode<Lane>): void;
}

export class Lane extends NonceQueue<Entry> {
  /** Node in the heap of drawable heads. */
  readonly headNode = new HeapNode<Lane>(this);
  heads: HeadPlace | undefined;
  /** Node in the heap of ready ends to evict. */
  readonly endNode = new HeapNode<Lane>(this);

  constructor(
    readonly sender: Sender,
    readonly id: number,
    nextNonce: bigint,
  ) {
    super(nextNonce);
  }
}

export class Sender {
  readonly lanes = new Map<number, Lane>();
  /** Maximum total cost of its transactions. */
  cost = 0n;
  size = 0;
  /** Places taken by its gapped transactions. */
  gappedPlaces = 0;
  /** Node in the heap of senders that yield places behind gaps. */
  readonly gappedNode = new HeapNode<Sender>(this);

  constructor(readonly address: AddressHex) {}

  find(lane: number, nonce: bigint): Entry | undefined {
    return this.lanes.get(lane)?.find(nonce);
  }

  open(id: number, accountNonce: bigint): Lane {
    let lane = this.lanes.get(id);
    if (lane === undefined) {
      lane = new Lane(this, id, accountNonce);
      this.lanes.set(id, lane);
    }
    return lane;
  }

  /** The most recent of its lanes' last transactions, evicted first when the account cannot pay for all. */
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

/** The size class of a gas limit: its number of bits. */
export function gasSize(limit: bigint): number {
  return limit < 2n ** 32n ? 32 - Math.clz32(Number(limit)) : limit.toString(2).length;
}

export function minGasOfSize(size: number): bigint {
  return size === 0 ? 0n : 1n << BigInt(size - 1);
}
