import type { AddressHex, TransactionHashHex } from '../../ledger/hex-types.js';
import {
  opensAt,
  type TransactionEnvelope,
  type VerifiedTransaction,
} from '../../ledger/transaction-envelope.js';
import type { AccountView, PoolLimits, Reception, RemovalReason } from '../pool-types.js';
import { type Prices, slotOffer, tipAt, transactionCost } from '../prices.js';
import { GappedBook } from './gapped-book.js';
import { Heads } from './heads.js';
import { Heap } from './heap.js';
import { ReadyEnvelopes } from './ready-envelopes.js';
import { SealedCount } from './sealed-count.js';
import { Entry, type Lane, rankOf, Sender } from './sender-lanes.js';

type RemovalListener = (entry: Entry, reason: RemovalReason, message: string) => void;

/** Called when an account gets its first standalone transaction or loses its last; may not call the pool. */
export type SenderListener = (address: AddressHex, isPending: boolean) => void;

interface LaneBookOptions {
  readonly accounts: AccountView;
  readonly limits: PoolLimits;
  readonly prices: Prices;
  /** Gas limit of every block. */
  readonly gasLimit: bigint;
  readonly now: () => number;
  readonly onRemoved: RemovalListener;
  readonly onSender?: SenderListener | undefined;
}

/**
 * Standalone transactions waiting for a block, in their senders' lanes; rules 1 to 4 of `pool.ts`.
 *
 * Hot path: every transaction passes through here; guarded by `bench/mempool.bench.ts`.
 */
export class LaneBook {
  readonly #accounts: AccountView;
  readonly #limits: PoolLimits;
  readonly #onRemoved: RemovalListener;
  readonly #onSender: SenderListener;
  readonly #byHash = new Map<TransactionHashHex, Entry>();
  readonly #senders = new Map<AddressHex, Sender>();
  /** Lanes with a replacement since the last block: the worth of later entries still reflects the replaced one. */
  readonly #undervalued = new Set<Lane>();
  readonly #expiring = new Heap<Entry>('lowest');
  #lanes = 0;
  #readyTransactions = 0;
  #bytes = 0;
  readonly #gasLimit: bigint;
  #prices: Prices;

  readonly gapped: GappedBook;
  readonly sealed = new SealedCount();
  readonly #readyEnvelopes = new ReadyEnvelopes();
  /** Lanes with ready transactions, by the worth of the last one. */
  readonly readyEnds = new Heap<Lane>('lowest');
  /** Lanes with a ready head, in draw order. */
  readonly heads = new Heads();

  constructor(options: LaneBookOptions) {
    const { accounts, limits, prices, now } = options;
    this.#accounts = accounts;
    this.#limits = limits;
    this.#prices = prices;
    this.#gasLimit = options.gasLimit;
    this.gapped = new GappedBook(limits, prices, now);
    this.#onRemoved = options.onRemoved;
    this.#onSender = options.onSender ?? (() => undefined);
  }

  get prices(): Prices {
    return this.#prices;
  }

  /** The tip of a transaction that may not be in the pool; see {@link Entry.tip}. */
  tipOf({ signed: { transaction } }: TransactionEnvelope): bigint {
    return tipAt(transaction, slotOffer(transaction, this.#gasLimit).maxSlotPrice, this.#prices);
  }

  /**
   * Number of slots that an envelope's height has left for it: the free ones, without those for ready envelopes of at
   * least the same rank. One that it would replace does not count.
   */
  slotsLeftFor({ sender, signed: { transaction } }: TransactionEnvelope, free: number): number {
    const { slots, maxSlotPrice } = slotOffer(transaction, this.#gasLimit);
    const rank = rankOf(tipAt(transaction, maxSlotPrice, this.#prices), slots);
    const replaced = this.#senders.get(sender)?.find(transaction.lane, transaction.nonce);
    return this.#readyEnvelopes.freeBeside(opensAt(transaction) ?? 0n, rank, free, replaced);
  }

  get transactions(): number {
    return this.#byHash.size;
  }

  get readyTransactions(): number {
    return this.#readyTransactions;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get lanes(): number {
    return this.#lanes;
  }

  get(hashHex: TransactionHashHex): Entry | undefined {
    return this.#byHash.get(hashHex);
  }

  sender(address: AddressHex): Sender | undefined {
    return this.#senders.get(address);
  }

  lane(address: AddressHex, lane: number): Lane | undefined {
    return this.#senders.get(address)?.lanes.get(lane);
  }

  /** Puts a transaction into its lane, replacing one with the same nonce. */
  put(transaction: VerifiedTransaction, reception: Reception): Entry {
    const { lane: laneId, nonce } = transaction.signed.transaction;
    const sender = this.#senders.get(transaction.sender) ?? this.#enter(transaction.sender);
    const lane = sender.open(laneId, this.#accounts.nextNonce(sender.address, laneId));
    const replaced = lane.find(nonce);
    const cost = transactionCost(transaction.signed.transaction);
    const offer = slotOffer(transaction.signed.transaction, this.#gasLimit);
    const entry = new Entry(transaction, reception, cost, offer, lane, lane.positionOf(nonce));
    const { readySize, missing } = lane;
    if (lane.size === 0) this.#lanes++;
    lane.put(entry);
    if (entry.ready) this.#readyEnvelopes.add(entry, this.#prices);
    else this.gapped.add(entry);
    if (replaced !== undefined) {
      this.#forget(replaced);
      if (entry.ready) this.#undervalued.add(lane);
      this.#onRemoved(replaced, 'replaced', `replaced by 0x${transaction.hashHex}, which pays more`);
    }
    sender.cost += entry.cost;
    sender.size++;
    this.#bytes += entry.bytes;
    this.#byHash.set(transaction.hashHex, entry);
    this.sealed.add(transaction);
    if (entry.expiryNode !== undefined) {
      this.#expiring.put(entry.expiryNode, entry.validUntil ?? 0n, entry.arrival);
    }
    this.#settle(lane, readySize, missing);
    return entry;
  }

  drop(entry: Entry, reason: RemovalReason, message: string): void {
    const { lane } = entry;
    const { readySize, missing } = lane;
    lane.remove(entry);
    this.#forget(entry);
    this.#settle(lane, readySize, missing);
    this.#onRemoved(entry, reason, message);
  }

  /** @param included hashes of the transactions of the block that changed the accounts */
  update(changed: Iterable<AddressHex>, included: ReadonlySet<TransactionHashHex>): void {
    for (const address of changed) {
      const sender = this.#senders.get(address);
      if (sender !== undefined) this.#updateAccount(sender, included);
    }
    // Not done at each replacement: a lane may be as long as the pool.
    for (const lane of this.#undervalued) {
      lane.refresh();
      const { readyEnd } = lane;
      if (readyEnd !== undefined) this.#putReadyEnd(lane, readyEnd);
    }
    this.#undervalued.clear();
    this.#readyEnvelopes.rekey(this.#prices);
  }

  dropExpired(height: bigint): void {
    for (;;) {
      const first = this.#expiring.first;
      if (first === undefined || first.key >= height) return;
      this.drop(first.value, 'expired', expiryText(first.value, first.key));
    }
  }

  dropOverdue(): void {
    for (const entry of this.gapped.overdue()) {
      const { id, nextNonce } = entry.lane;
      const seconds = this.#limits.gappedTtlMs / 1_000;
      const message = `waited ${seconds} s behind a gap: nonce ${nextNonce} of lane ${id} did not come`;
      this.drop(entry, 'expired', message);
    }
  }

  setPrices(prices: Prices): void {
    this.#prices = prices;
    this.heads.rekey(prices);
    this.readyEnds.rekey(({ readyEnd }) => readyEnd?.worth(prices) ?? 0n);
    this.gapped.setPrices(prices);
    this.#readyEnvelopes.rekey(prices);
  }

  #updateAccount(sender: Sender, included: ReadonlySet<TransactionHashHex>): void {
    for (const lane of [...sender.lanes.values()]) {
      const next = this.#accounts.nextNonce(sender.address, lane.id);
      const { readySize, missing } = lane;
      const passed = lane.advance(next);
      for (const entry of passed) this.#forget(entry);
      this.#settle(lane, readySize, missing);
      for (const entry of passed) {
        const isIncluded = included.has(entry.transaction.hashHex);
        if (isIncluded) this.#onRemoved(entry, 'included', 'included in a block');
        else
          this.#onRemoved(entry, 'nonce_too_low', `another transaction took its nonce; the next is ${next}`);
      }
    }
    this.#enforceBalance(sender);
  }

  /**
   * Removes transactions that an account can no longer pay for: first each one that alone exceeds the balance; then,
   * while the total exceeds it, the most recent one.
   */
  #enforceBalance(sender: Sender): void {
    const balance = this.#accounts.balance(sender.address);
    if (sender.cost <= balance) return;
    for (const entry of [...sender.entries()]) {
      if (entry.cost <= balance) continue;
      const message = `the account's balance fell to ${balance}; the transaction may cost ${entry.cost}`;
      this.drop(entry, 'insufficient_balance', message);
    }
    while (sender.cost > balance) {
      const entry = sender.newestTail();
      if (entry === undefined) return;
      const message = `the account's balance fell to ${balance}; its pending transactions may cost ${sender.cost}`;
      this.drop(entry, 'insufficient_balance', message);
    }
  }

  /** Removes an entry that has left its lane from all other structures. */
  #forget(entry: Entry): void {
    entry.lane.sender.cost -= entry.cost;
    entry.lane.sender.size--;
    this.#bytes -= entry.bytes;
    this.#byHash.delete(entry.transaction.hashHex);
    this.sealed.remove(entry.transaction);
    this.gapped.remove(entry);
    this.#readyEnvelopes.remove(entry);
    if (entry.expiryNode !== undefined) this.#expiring.remove(entry.expiryNode);
  }

  #settle(lane: Lane, readyBefore: number, missingBefore: number): void {
    const { sender } = lane;
    this.#readyTransactions += lane.readySize - readyBefore;
    this.#settleGap(lane, missingBefore);
    const { readyEnd } = lane;
    this.heads.settle(lane, this.#prices);
    if (readyEnd === undefined) this.readyEnds.remove(lane.endNode);
    else this.#putReadyEnd(lane, readyEnd);
    if (sender.gappedPlaces > 0 || sender.gappedNode.index >= 0) this.gapped.settle(sender);
    if (lane.size > 0) return;
    this.#lanes--;
    sender.lanes.delete(lane.id);
    if (sender.lanes.size > 0) return;
    this.#senders.delete(sender.address);
    this.#onSender(sender.address, false);
  }

  #enter(address: AddressHex): Sender {
    const sender = new Sender(address);
    this.#senders.set(address, sender);
    this.#onSender(address, true);
    return sender;
  }

  #putReadyEnd(lane: Lane, end: Entry): void {
    this.readyEnds.put(lane.endNode, end.worth(this.#prices), -end.arrival);
  }

  /** Updates the gapped entries after a gap closed or opened. */
  #settleGap(lane: Lane, missingBefore: number): void {
    const { missing } = lane;
    if (missing > missingBefore) {
      if (lane.sender.gappedPlaces === 0) return;
      for (const entry of lane.between(missingBefore, missing)) {
        this.gapped.remove(entry);
        this.#readyEnvelopes.add(entry, this.#prices);
      }
    } else if (missing < missingBefore) {
      for (const entry of lane.between(missing, missingBefore)) {
        this.gapped.add(entry);
        this.#readyEnvelopes.remove(entry);
      }
    }
  }
}

function expiryText({ transaction }: Entry, last: bigint): string {
  const opening = opensAt(transaction.signed.transaction);
  if (opening === undefined) return `valid only until height ${last}`;
  return `no block below height ${opening}, at which it opens, included it: with the key of that height it is readable`;
}
