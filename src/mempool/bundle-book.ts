import type { AddressHex, BundleHashHex, TransactionHashHex } from '../ledger/hex-names.js';
import type { AccountView } from './account-view.js';
import type { BundleEnvelope, VerifiedBundle } from './bundle.js';
import { bundleRoom, followBundle } from './bundle-rules.js';
import { TransactionError } from './errors.js';
import { Heap } from './heap.js';
import { HeapWalk } from './heap-walk.js';
import type { DepartureReason, PoolLimits } from './pool-types.js';
import type { PoolShare } from './room.js';
import type { BundleMember, BundleStanding, WaitingBundle } from './waiting-bundle.js';

/** A bundle that left the pool. */
export interface BundleDeparture {
  readonly bundle: BundleEnvelope;
  readonly reason: DepartureReason;
  /** For a person: what happened, with the numbers that decided. */
  readonly message: string;
}

/** A bundle that left, as the pool has it. */
type Left = (waiting: WaitingBundle, reason: DepartureReason, message: string) => void;

/**
 * The bundles that wait for a block.
 *
 * 1. A bundle does not enter the lanes of its senders: it neither closes a gap there nor takes a place. Where a
 *    transaction on its own has the same nonce, or another bundle has, what is included first decides; the others leave.
 * 2. It is *ready* while the accounts have exactly the nonces that it starts with, and balances for it; until then it
 *    waits. It leaves once a nonce of it is used, or its last height is past.
 * 3. Bundles may take a quarter of the pool, and make room among themselves: waiting ones first, for a ready one whatever
 *    they pay; then, for a ready one that pays more, ready ones; the cheapest first.
 */
export class BundleBook {
  readonly #accounts: AccountView;
  readonly #limits: PoolLimits;
  readonly #onLeft: Left;
  readonly #byHash = new Map<BundleHashHex, WaitingBundle>();
  readonly #bySender = new Map<AddressHex, Set<WaitingBundle>>();
  /** A transaction may be in several bundles; they are in the order in which they came. */
  readonly #byTransaction = new Map<TransactionHashHex, BundleMember[]>();
  readonly #lowest = { waiting: new Heap<WaitingBundle>('lowest'), ready: new Heap<WaitingBundle>('lowest') };
  readonly #expiring = new Heap<WaitingBundle>('lowest');
  #transactions = 0;
  #readyTransactions = 0;
  #bytes = 0;
  #baseFee: bigint;

  /** The ready ones, by price, in the order in which they are drawn. */
  readonly ready = new Heap<WaitingBundle>('highest');

  constructor(accounts: AccountView, limits: PoolLimits, baseFee: bigint, onLeft: Left) {
    this.#accounts = accounts;
    this.#limits = limits;
    this.#baseFee = baseFee;
    this.#onLeft = onLeft;
  }

  /** How many bundles. */
  get size(): number {
    return this.#byHash.size;
  }

  /** How many transactions they have together. */
  get transactions(): number {
    return this.#transactions;
  }

  get readyTransactions(): number {
    return this.#readyTransactions;
  }

  /** Encoded size of their transactions. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether a block drawn now would get a bundle, as far as nonces, balances and fees go. */
  get hasReady(): boolean {
    const best = this.ready.first;
    return best !== undefined && best.key >= 0n;
  }

  get(hashHex: BundleHashHex): WaitingBundle | undefined {
    return this.#byHash.get(hashHex);
  }

  /** A transaction in the first bundle that has it. */
  member(hashHex: TransactionHashHex): BundleMember | undefined {
    return this.#byTransaction.get(hashHex)?.[0];
  }

  /** A transaction in all bundles that have it. */
  membersLike(hashHex: TransactionHashHex): readonly BundleMember[] {
    return this.#byTransaction.get(hashHex) ?? [];
  }

  /** The transactions of an account in bundles. */
  *membersOf(sender: AddressHex): IterableIterator<BundleMember> {
    for (const { members } of this.#bySender.get(sender) ?? []) {
      for (const member of members) if (member.address === sender) yield member;
    }
  }

  /** The bundles with a transaction of an account. */
  of(sender: AddressHex): Iterable<WaitingBundle> {
    return this.#bySender.get(sender) ?? [];
  }

  /** In the order in which they came. */
  *bundles(): IterableIterator<VerifiedBundle> {
    for (const { bundle } of this.#byHash.values()) yield bundle;
  }

  /**
   * What has to leave so that a bundle fits, or why it cannot come in.
   * @param alone what the transactions on their own take of the pool
   */
  roomFor(
    newcomer: WaitingBundle,
    standing: BundleStanding,
    alone: PoolShare,
  ): WaitingBundle[] | TransactionError {
    const { maxTransactions, maxBytes } = this.#limits;
    const room = bundleRoom(this.#limits);
    const transactions = Math.min(room.transactions, maxTransactions - alone.transactions);
    const bytes = Math.min(room.bytes, maxBytes - alone.bytes);
    const needed = {
      transactions: this.#transactions + newcomer.members.length - transactions,
      bytes: this.#bytes + newcomer.bytes - bytes,
    };
    return this.#leaving(needed, standing, newcomer.price(this.#baseFee)) ?? this.#full();
  }

  /** What has to leave so that the bundles have room beside what else is here, as after a start with smaller limits. */
  excess(alone: PoolShare): WaitingBundle[] {
    const { maxTransactions, maxBytes } = this.#limits;
    const room = bundleRoom(this.#limits);
    const needed = {
      transactions: this.#transactions - Math.min(room.transactions, maxTransactions - alone.transactions),
      bytes: this.#bytes - Math.min(room.bytes, maxBytes - alone.bytes),
    };
    return this.#leaving(needed, 'ready', undefined) ?? [];
  }

  /**
   * What leaves for a newcomer.
   * @param price what it pays; undefined for more than any
   * @returns undefined where that is not enough
   */
  #leaving(
    needed: PoolShare,
    standing: BundleStanding,
    price: bigint | undefined,
  ): WaitingBundle[] | undefined {
    let { transactions, bytes } = needed;
    const leaving: WaitingBundle[] = [];
    const waiting = new HeapWalk(this.#lowest.waiting, self);
    const ready = new HeapWalk(this.#lowest.ready, self);
    const isCheaper = (key: bigint) => price === undefined || key < price;
    while (transactions > 0 || bytes > 0) {
      let step = waiting.next();
      if (step === undefined) {
        if (standing === 'ready') step = ready.next();
        if (step === undefined || !isCheaper(step.key)) return undefined;
      } else if (standing === 'waiting' && !isCheaper(step.key)) return undefined;
      leaving.push(step.value);
      transactions -= step.value.members.length;
      bytes -= step.value.bytes;
    }
    return leaving;
  }

  put(waiting: WaitingBundle, standing: BundleStanding): void {
    this.#byHash.set(waiting.hashHex, waiting);
    for (const sender of waiting.senders) {
      const own = this.#bySender.get(sender);
      if (own === undefined) this.#bySender.set(sender, new Set([waiting]));
      else own.add(waiting);
    }
    for (const member of waiting.members) {
      const { hashHex } = member.transaction;
      const present = this.#byTransaction.get(hashHex);
      if (present === undefined) this.#byTransaction.set(hashHex, [member]);
      else present.push(member);
    }
    this.#transactions += waiting.members.length;
    this.#bytes += waiting.bytes;
    this.#setEnd(waiting);
    this.#stand(waiting, standing);
  }

  /** Takes a bundle out, and tells so. */
  drop(waiting: WaitingBundle, reason: DepartureReason, message: string): void {
    this.#byHash.delete(waiting.hashHex);
    for (const sender of waiting.senders) {
      const own = this.#bySender.get(sender);
      own?.delete(waiting);
      if (own?.size === 0) this.#bySender.delete(sender);
    }
    for (const { transaction } of waiting.members) {
      const left =
        this.#byTransaction.get(transaction.hashHex)?.filter((one) => one.waiting !== waiting) ?? [];
      if (left.length === 0) this.#byTransaction.delete(transaction.hashHex);
      else this.#byTransaction.set(transaction.hashHex, left);
    }
    this.#transactions -= waiting.members.length;
    if (waiting.standing === 'ready') this.#readyTransactions -= waiting.members.length;
    this.#bytes -= waiting.bytes;
    this.ready.remove(waiting.drawNode);
    this.#lowest[waiting.standing].remove(waiting.roomNode);
    this.#expiring.remove(waiting.expiryNode);
    this.#onLeft(waiting, reason, message);
  }

  /** Gives a bundle a later last height. */
  extend(waiting: WaitingBundle, later: BundleEnvelope): void {
    waiting.extend(later);
    this.#setEnd(waiting);
  }

  /** Lets a bundle that could not be included wait until an account of its senders changes. */
  park(waiting: WaitingBundle): void {
    this.#stand(waiting, 'waiting');
  }

  /**
   * Brings the bundles of accounts that changed in line with them.
   * @param included hashes of the transactions of the block that changed them
   */
  follow(changed: Iterable<AddressHex>, included: ReadonlySet<TransactionHashHex>): void {
    if (this.size === 0) return;
    const concerned = new Set<WaitingBundle>();
    for (const address of changed) {
      for (const waiting of this.#bySender.get(address) ?? []) concerned.add(waiting);
    }
    for (const waiting of concerned) {
      const { transactions } = waiting.bundle;
      const followed = followBundle(transactions, waiting.lanes, this.#accounts);
      if (!(followed instanceof TransactionError)) this.#stand(waiting, followed ?? 'waiting');
      else if (transactions.every(({ hashHex }) => included.has(hashHex))) {
        this.drop(waiting, 'included', 'included in a block');
      } else this.drop(waiting, followed.reason, followed.message);
    }
  }

  dropExpired(height: bigint): void {
    for (;;) {
      const first = this.#expiring.first;
      if (first === undefined || first.key >= height) return;
      this.drop(
        first.value,
        'expired',
        `its bundle could be included up to height ${first.key}, which is past`,
      );
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

  #stand(waiting: WaitingBundle, standing: BundleStanding): void {
    if (waiting.standing === 'ready') this.#readyTransactions -= waiting.members.length;
    if (standing === 'ready') this.#readyTransactions += waiting.members.length;
    this.#lowest[waiting.standing].remove(waiting.roomNode);
    waiting.standing = standing;
    const price = waiting.price(this.#baseFee);
    this.#lowest[standing].put(waiting.roomNode, price, -waiting.arrival);
    if (standing === 'ready') this.ready.put(waiting.drawNode, price, waiting.arrival);
    else this.ready.remove(waiting.drawNode);
  }

  #full(): TransactionError {
    const { transactions, bytes } = bundleRoom(this.#limits);
    return new TransactionError(
      'pool_full',
      `there is no room for the bundle: bundles may have ${transactions} transactions and ${bytes} bytes of the pool, ` +
        `and those that wait pay no less`,
      { size: this.#transactions, bytes: this.#bytes },
    );
  }
}

function self(waiting: WaitingBundle): WaitingBundle {
  return waiting;
}
