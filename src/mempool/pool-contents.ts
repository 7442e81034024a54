import { LRUCache } from 'lru-cache';
import btree from 'sorted-btree';
import { canBaseFeeFallTo } from '../ledger/fees.js';
import type { AddressHex, BundleHashHex, CandidateHashHex, TransactionHashHex } from '../ledger/hex-types.js';
import type { TransactionEnvelope, VerifiedTransaction } from '../ledger/transaction-envelope.js';
import type { BundleEnvelope, VerifiedBundle } from './bundles/bundle.js';
import { BundleBook, type BundleRemoval } from './bundles/bundle-book.js';
import type { BundleMember, WaitingBundle } from './bundles/waiting-bundle.js';
import { EvictionPolicy } from './eviction-policy.js';
import { LaneBook, type SenderListener } from './lanes/lane-book.js';
import { Entry } from './lanes/sender-lanes.js';
import { pageOf } from './listing.js';
import {
  type AccountView,
  isRemovalReason,
  type NextBlockContext,
  type PendingLane,
  type PendingPage,
  type PendingQuery,
  type PendingTransaction,
  type PoolLimits,
  type PoolStats,
  type RememberedRemoval,
  type Removal,
  type RemovalReason,
} from './pool-types.js';
import type { Prices } from './prices.js';

export interface PoolOptions {
  readonly chainId: bigint;
  readonly head: NextBlockContext;
  readonly limits: PoolLimits;
  /** The accounts at the tip, read at every use: they change with the tip, just before {@link Mempool.applyBlock}. */
  readonly accounts: AccountView;
  /** Number of opening slots reserved at a height after the tip, read at every use like the accounts; default 0. */
  readonly reservedAt?: (opensAt: bigint) => number;
  /** Clock in milliseconds from any origin, for time limits. */
  readonly now: () => number;
  /** Called for every removed transaction before the removing call returns; must not call the pool. */
  readonly onRemoval?: (removal: Removal) => void;
  /** Like {@link onRemoval}, for bundles; their transactions are not reported separately. */
  readonly onBundleRemoval?: (removal: BundleRemoval) => void;
  readonly onSender?: SenderListener;
  /** The reason that the transaction or bundle with this hash is banned; undefined if it is not. */
  readonly rejectionReason?: (hashHex: CandidateHashHex) => string | undefined;
}

/** Read access to pooled transactions and remembered removals; see `Mempool`. */
export class PoolContents {
  protected readonly limits: PoolLimits;
  protected readonly accounts: AccountView;
  /** The most recent removals without inclusion, by transaction hash; the oldest is forgotten first. */
  protected readonly removals: LRUCache<TransactionHashHex, RememberedRemoval>;
  protected readonly byArrival = new btree.default<number, Entry | BundleMember>();
  protected readonly lanes: LaneBook;
  protected readonly bundleBook: BundleBook;
  protected readonly evictionPolicy: EvictionPolicy;
  protected prices: Prices;
  protected readonly reservedAt: (opensAt: bigint) => number;
  protected readonly rejectionReason: (hashHex: CandidateHashHex) => string | undefined;
  readonly #onRemoval: ((removal: Removal) => void) | undefined;
  readonly #onBundleRemoval: ((removal: BundleRemoval) => void) | undefined;

  constructor(options: PoolOptions) {
    const { limits, accounts, head, now, onRemoval, onBundleRemoval, rejectionReason, onSender } = options;
    this.rejectionReason = rejectionReason ?? (() => undefined);
    this.reservedAt = options.reservedAt ?? (() => 0);
    this.limits = limits;
    this.accounts = accounts;
    this.removals = new LRUCache({ max: limits.maxRemovals });
    this.prices = pricesOf(head);
    this.#onRemoval = onRemoval;
    this.#onBundleRemoval = onBundleRemoval;
    this.lanes = new LaneBook({
      accounts,
      limits,
      prices: this.prices,
      gasLimit: head.gasLimit,
      now,
      onRemoved: (entry, reason, message) => this.#recordRemoval(entry, reason, message),
      onSender,
    });
    this.bundleBook = new BundleBook(accounts, limits, head.baseFee, (waiting, reason, message) =>
      this.#recordBundleRemoval(waiting, reason, message),
    );
    this.evictionPolicy = new EvictionPolicy(limits, this.lanes, this.bundleBook);
  }

  get size(): number {
    return this.lanes.transactions + this.bundleBook.transactions;
  }

  /** Encoded size of all pooled transactions; a transaction pooled several times counts each time. */
  get bytes(): number {
    return this.lanes.bytes + this.bundleBook.bytes;
  }

  /** True if a block drawn now would get a transaction, judging by nonces and fees. */
  hasReady(): boolean {
    return this.lanes.heads.hasReady || this.bundleBook.hasReady;
  }

  /**
   * The highest base fee at which a block could include a transaction or bundle that only prices hold back, if empty
   * blocks lead to it; they also lower seal_excess to 0. A bundle counts with the lowest max_fee of its members.
   * Undefined if there are none or if any transaction or bundle is ready.
   */
  heldBackFee(): bigint | undefined {
    if (this.hasReady()) return undefined;
    const { baseFee } = this.prices;
    const bundled = this.bundleBook.ready.first?.key;
    const fees = [
      this.lanes.heads.heldBackFee(baseFee),
      bundled === undefined ? undefined : baseFee + bundled,
    ];
    let best: bigint | undefined;
    for (const fee of fees) {
      if (fee === undefined || !canBaseFeeFallTo(fee, baseFee)) continue;
      if (best === undefined || fee > best) best = fee;
    }
    return best;
  }

  standalone(hashHex: TransactionHashHex): VerifiedTransaction | undefined {
    return this.lanes.get(hashHex)?.transaction;
  }

  bundle(hashHex: BundleHashHex): VerifiedBundle | undefined {
    return this.bundleBook.get(hashHex)?.bundle;
  }

  /** True if a standalone transaction or a bundle could be the first of the next block, judging by nonces and fees. */
  isDrawable(hashHex: CandidateHashHex): boolean {
    const entry = this.lanes.get(hashHex as TransactionHashHex);
    if (entry !== undefined) return entry.lane.head === entry && entry.tip(this.prices) >= 0n;
    const waiting = this.bundleBook.get(hashHex as BundleHashHex);
    return waiting?.status === 'ready' && waiting.price(this.prices.baseFee) >= 0n;
  }

  /** Standalone or in a bundle. */
  get(hashHex: TransactionHashHex): PendingTransaction | undefined {
    return this.find(hashHex)?.view();
  }

  /** Remembers a removal without inclusion from before the last restart. */
  rememberRemoval(hashHex: TransactionHashHex, reason: string): void {
    if (!isRemovalReason(reason)) return;
    this.removals.set(hashHex, { reason, message: 'it left the pool before the node was restarted' });
  }

  /** The reason for a transaction's removal without inclusion; undefined if there was none or it is forgotten. */
  removal(hashHex: TransactionHashHex): RememberedRemoval | undefined {
    const message = this.rejectionReason(hashHex);
    if (message !== undefined) return { reason: 'execution_fault', message };
    return this.removals.peek(hashHex);
  }

  /** The first nonce neither used nor pending. Bundles occupy none, because they may never be included. */
  nextNonce(sender: AddressHex, lane: number): bigint {
    return this.lanes.lane(sender, lane)?.nextNonce ?? this.accounts.nextNonce(sender, lane);
  }

  hasPending(sender: AddressHex): boolean {
    return this.lanes.sender(sender) !== undefined;
  }

  /** The lanes with an account's standalone transactions, ascending. */
  lanesOf(sender: AddressHex): PendingLane[] {
    const lanes = this.lanes.sender(sender)?.lanes.values() ?? [];
    const pending = Array.from(lanes, ({ id, size, nextNonce }) => ({ lane: id, pending: size, nextNonce }));
    return pending.sort((a, b) => a.lane - b.lane);
  }

  /** A page of the pool, newest first. A cursor stays valid while transactions come and go. @throws PoolCursorError */
  list(query: PendingQuery): PendingPage {
    return pageOf(query, {
      byArrival: this.byArrival,
      ownOf: (sender) => this.#ownOf(sender),
      // A transaction pooled several times is listed once.
      isListed: (pending) => this.find(pending.transaction.hashHex) === pending,
    });
  }

  /** Standalone ones in order of arrival: re-admitting them, and then the bundles, restores the pool. */
  *transactions(): IterableIterator<VerifiedTransaction> {
    for (const pending of this.byArrival.values()) if (pending instanceof Entry) yield pending.transaction;
  }

  bundles(): IterableIterator<VerifiedBundle> {
    return this.bundleBook.bundles();
  }

  stats(): PoolStats {
    const ready = this.lanes.readyTransactions + this.bundleBook.readyTransactions;
    return {
      size: this.size,
      bytes: this.bytes,
      capacity: this.limits.maxTransactions,
      lanes: this.lanes.lanes,
      ready,
      gapped: this.size - ready,
      sealed: this.lanes.sealed.stats,
      bundles: this.bundleBook.size,
      minFee: this.evictionPolicy.minFee,
      baseFee: this.prices.baseFee,
    };
  }

  /** Removes a restored transaction that is banned. @returns whether the transaction is banned */
  rejectRestored(transaction: TransactionEnvelope): boolean {
    const message = this.rejectionReason(transaction.hashHex);
    if (message === undefined) return false;
    this.#onRemoval?.({ transaction, reason: 'execution_fault', message });
    return true;
  }

  /** Like {@link rejectRestored}, for a bundle; a banned member bans the bundle. */
  rejectRestoredBundle(bundle: BundleEnvelope): boolean {
    const message = this.bundleRejectionReason(bundle);
    if (message === undefined) return false;
    for (const { hashHex } of bundle.transactions) {
      this.removals.set(hashHex, { reason: 'execution_fault', message });
    }
    this.#onBundleRemoval?.({ bundle, reason: 'execution_fault', message });
    return true;
  }

  /** The reason that a bundle or one of its members is banned; undefined if none is. */
  protected bundleRejectionReason({ hashHex, transactions }: BundleEnvelope): string | undefined {
    for (const name of [hashHex, ...transactions.map((one) => one.hashHex)]) {
      const message = this.rejectionReason(name);
      if (message !== undefined) return message;
    }
    return undefined;
  }

  protected find(hashHex: TransactionHashHex): Entry | BundleMember | undefined {
    return this.lanes.get(hashHex) ?? this.bundleBook.member(hashHex);
  }

  #ownOf(address: AddressHex): { readonly size: number; readonly entries: Iterable<Entry | BundleMember> } {
    const sender = this.lanes.sender(address);
    const members = this.bundleBook.membersOf(address);
    const entries = function* () {
      if (sender !== undefined) yield* sender.entries();
      yield* members;
    };
    return { size: (sender?.size ?? 0) + members.size, entries: entries() };
  }

  #recordRemoval({ transaction, arrival }: Entry, reason: RemovalReason, message: string): void {
    this.byArrival.delete(arrival);
    if (reason !== 'included') this.removals.set(transaction.hashHex, { reason, message });
    this.#onRemoval?.({ transaction, reason, message });
  }

  #recordBundleRemoval({ bundle, members }: WaitingBundle, reason: RemovalReason, message: string): void {
    for (const { arrival, transaction } of members) {
      this.byArrival.delete(arrival);
      if (reason === 'included' || this.find(transaction.hashHex) !== undefined) continue;
      this.removals.set(transaction.hashHex, { reason, message });
    }
    this.#onBundleRemoval?.({ bundle, reason, message });
  }
}

export function pricesOf({ baseFee, slotPrice }: Prices): Prices {
  return { baseFee, slotPrice };
}
