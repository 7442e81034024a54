import type { AddressHex, BundleHashHex, TransactionHashHex } from '../../ledger/hex-types.js';
import { TransactionError } from '../errors.js';
import type { PoolShare } from '../eviction-policy.js';
import { Heap } from '../lanes/heap.js';
import { HeapWalk } from '../lanes/heap-walk.js';
import type { AccountView, PoolLimits, RememberedRemoval, RemovalReason } from '../pool-types.js';
import type { BundleEnvelope, VerifiedBundle } from './bundle.js';
import { BundleMembers } from './bundle-members.js';
import { bundleRoom, usedNonceReason } from './bundle-rules.js';
import { BundleSenders } from './bundle-senders.js';
import type { BundleMember, BundleStatus, WaitingBundle } from './waiting-bundle.js';

export interface BundleRemoval extends RememberedRemoval {
  readonly bundle: BundleEnvelope;
}

type RemovalListener = (waiting: WaitingBundle, reason: RemovalReason, message: string) => void;

/**
 * The bundles waiting for a block.
 *
 * 1. A bundle does not enter its senders' lanes: it neither closes a nonce gap nor takes a place there. If a standalone
 *    transaction or another bundle has the same nonce, the one included first wins and the others leave.
 * 2. A bundle is *ready* while the accounts have exactly its first nonces and sufficient balances; otherwise it waits.
 *    It leaves once one of its nonces is used or its last height has passed.
 * 3. Bundles may take a quarter of the pool, and evict only each other, cheapest first: for a ready bundle, waiting
 *    ones at any price, then ready ones that pay less.
 */
export class BundleBook {
  readonly #accounts: AccountView;
  readonly #limits: PoolLimits;
  readonly #onRemoved: RemovalListener;
  readonly #byHash = new Map<BundleHashHex, WaitingBundle>();
  readonly #senders: BundleSenders;
  readonly #members = new BundleMembers();
  readonly #lowest = { waiting: new Heap<WaitingBundle>('lowest'), ready: new Heap<WaitingBundle>('lowest') };
  readonly #expiring = new Heap<WaitingBundle>('lowest');
  #transactions = 0;
  #readyTransactions = 0;
  #bytes = 0;
  #baseFee: bigint;

  /** Ready bundles by price, in draw order. */
  readonly ready = new Heap<WaitingBundle>('highest');

  constructor(accounts: AccountView, limits: PoolLimits, baseFee: bigint, onRemoved: RemovalListener) {
    this.#accounts = accounts;
    this.#senders = new BundleSenders(accounts);
    this.#limits = limits;
    this.#baseFee = baseFee;
    this.#onRemoved = onRemoved;
  }

  get size(): number {
    return this.#byHash.size;
  }

  get transactions(): number {
    return this.#transactions;
  }

  get readyTransactions(): number {
    return this.#readyTransactions;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** True if a block drawn now would get a bundle, judging by nonces, balances and fees. */
  get hasReady(): boolean {
    const best = this.ready.first;
    return best !== undefined && best.key >= 0n;
  }

  get(hashHex: BundleHashHex): WaitingBundle | undefined {
    return this.#byHash.get(hashHex);
  }

  /** A transaction's entry in the first bundle that contains it. */
  member(hashHex: TransactionHashHex): BundleMember | undefined {
    return this.#members.first(hashHex);
  }

  /** A transaction's entries in all bundles that contain it, in order of arrival. */
  membersWithHash(hashHex: TransactionHashHex): Iterable<BundleMember> {
    return this.#members.like(hashHex);
  }

  membersOf(sender: AddressHex): ReadonlySet<BundleMember> {
    return this.#senders.membersOf(sender);
  }

  /** An account's bundles that may be ready after a branch. */
  readyWith(sender: AddressHex, accounts: AccountView): Iterable<WaitingBundle> {
    return this.#senders.readyWith(sender, accounts);
  }

  /** In order of arrival. */
  *bundles(): IterableIterator<VerifiedBundle> {
    for (const { bundle } of this.#byHash.values()) yield bundle;
  }

  /** What to evict for a bundle, or why it is refused. @param alone the share of standalone transactions */
  roomFor(
    newcomer: WaitingBundle,
    status: BundleStatus,
    alone: PoolShare,
  ): WaitingBundle[] | TransactionError {
    const needed = this.#excessWith(newcomer.members.length, newcomer.bytes, alone);
    return this.#leaving(needed, status, newcomer.price(this.#baseFee)) ?? this.#full();
  }

  /** Bundles to evict because the pool exceeds its limits, for instance after a start with smaller ones. */
  excess(alone: PoolShare): WaitingBundle[] {
    return this.#leaving(this.#excessWith(0, 0, alone), 'ready', undefined) ?? [];
  }

  /** What exceeds the limits once more bundles are in. */
  #excessWith(transactions: number, bytes: number, alone: PoolShare): PoolShare {
    const { maxTransactions, maxBytes } = this.#limits;
    const room = bundleRoom(this.#limits);
    return {
      transactions:
        this.#transactions + transactions - Math.min(room.transactions, maxTransactions - alone.transactions),
      bytes: this.#bytes + bytes - Math.min(room.bytes, maxBytes - alone.bytes),
    };
  }

  /** Bundles to evict for one with this price, or for any; undefined if too little can be freed. */
  #leaving(needed: PoolShare, status: BundleStatus, price: bigint | undefined): WaitingBundle[] | undefined {
    let { transactions, bytes } = needed;
    const leaving: WaitingBundle[] = [];
    const waiting = new HeapWalk(this.#lowest.waiting, self);
    const ready = new HeapWalk(this.#lowest.ready, self);
    const isCheaper = (key: bigint) => price === undefined || key < price;
    while (transactions > 0 || bytes > 0) {
      let step = waiting.next();
      if (step === undefined) {
        if (status === 'ready') step = ready.next();
        if (step === undefined || !isCheaper(step.key)) return undefined;
      } else if (status === 'waiting' && !isCheaper(step.key)) return undefined;
      leaving.push(step.value);
      transactions -= step.value.members.length;
      bytes -= step.value.bytes;
    }
    return leaving;
  }

  put(waiting: WaitingBundle, status: BundleStatus): void {
    this.#byHash.set(waiting.hashHex, waiting);
    this.#senders.add(waiting);
    for (const member of waiting.members) this.#members.add(member);
    this.#transactions += waiting.members.length;
    this.#bytes += waiting.bytes;
    this.#setEnd(waiting);
    this.#setStatus(waiting, status);
  }

  drop(waiting: WaitingBundle, reason: RemovalReason, message: string): void {
    this.#byHash.delete(waiting.hashHex);
    this.#senders.remove(waiting);
    for (const member of waiting.members) this.#members.remove(member);
    this.#transactions -= waiting.members.length;
    if (waiting.status === 'ready') this.#readyTransactions -= waiting.members.length;
    this.#bytes -= waiting.bytes;
    this.ready.remove(waiting.drawNode);
    this.#lowest[waiting.status].remove(waiting.roomNode);
    this.#expiring.remove(waiting.expiryNode);
    this.#onRemoved(waiting, reason, message);
  }

  extend(waiting: WaitingBundle, later: BundleEnvelope): void {
    waiting.extend(later);
    this.#setEnd(waiting);
  }

  /** Marks a bundle that could not be included as waiting, until one of its senders' accounts changes. */
  park(waiting: WaitingBundle): void {
    this.#setStatus(waiting, 'waiting');
  }

  /** @param included hashes of the transactions of the block that changed the accounts */
  update(changed: Iterable<AddressHex>, included: ReadonlySet<TransactionHashHex>): void {
    if (this.size === 0) return;
    const changes = { used: new Set<WaitingBundle>(), affected: new Set<WaitingBundle>() };
    for (const address of changed) this.#senders.update(address, changes);
    for (const waiting of changes.used) this.#dropUsed(waiting, included);
    for (const waiting of changes.affected) {
      if (changes.used.has(waiting)) continue;
      this.#setStatus(waiting, waiting.isPayable ? 'ready' : 'waiting');
    }
  }

  #dropUsed(waiting: WaitingBundle, included: ReadonlySet<TransactionHashHex>): void {
    const { transactions } = waiting.bundle;
    if (transactions.every(({ hashHex }) => included.has(hashHex))) {
      this.drop(waiting, 'included', 'included in a block');
      return;
    }
    this.drop(waiting, 'nonce_too_low', usedNonceReason(transactions, waiting.lanes, this.#accounts));
  }

  dropExpired(height: bigint): void {
    for (;;) {
      const first = this.#expiring.first;
      if (first === undefined || first.key >= height) return;
      this.drop(first.value, 'expired', `its bundle could be included only up to height ${first.key}`);
    }
  }

  setBaseFee(baseFee: bigint): void {
    this.#baseFee = baseFee;
    const price = (waiting: WaitingBundle) => waiting.price(baseFee);
    this.ready.rekey(price);
    this.#lowest.waiting.rekey(price);
    this.#lowest.ready.rekey(price);
  }

  #setEnd(waiting: WaitingBundle): void {
    const { lastHeight, expiryNode, arrival } = waiting;
    if (lastHeight === undefined) this.#expiring.remove(expiryNode);
    else this.#expiring.put(expiryNode, lastHeight, arrival);
  }

  #setStatus(waiting: WaitingBundle, status: BundleStatus): void {
    if (waiting.status === status && waiting.roomNode.index >= 0) return;
    if (waiting.status === 'ready') this.#readyTransactions -= waiting.members.length;
    if (status === 'ready') this.#readyTransactions += waiting.members.length;
    this.#lowest[waiting.status].remove(waiting.roomNode);
    waiting.status = status;
    const price = waiting.price(this.#baseFee);
    this.#lowest[status].put(waiting.roomNode, price, -waiting.arrival);
    if (status === 'ready') this.ready.put(waiting.drawNode, price, waiting.arrival);
    else this.ready.remove(waiting.drawNode);
  }

  #full(): TransactionError {
    const { transactions, bytes } = bundleRoom(this.#limits);
    return new TransactionError(
      'pool_full',
      `no room for the bundle: bundles may take ${transactions} transactions and ${bytes} bytes of the pool, ` +
        `and those waiting pay at least as much`,
      { size: this.#transactions, bytes: this.#bytes },
    );
  }
}

function self(waiting: WaitingBundle): WaitingBundle {
  return waiting;
}
