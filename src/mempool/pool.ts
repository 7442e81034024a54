import btree from 'sorted-btree';
import type { VerifiedTransaction } from '../ledger/verified-transaction.js';
import { checkAccount, checkGap } from './account-rules.js';
import type { AccountView } from './account-view.js';
import { checkTransaction } from './admission-rules.js';
import type { VerifiedBundle } from './bundle.js';
import { BundleBook, type BundleDeparture } from './bundle-book.js';
import { checkBundle, followBundle } from './bundle-rules.js';
import { DepartureMemory } from './departures.js';
import { Entry } from './entry.js';
import { TransactionError } from './errors.js';
import { LaneBook } from './lane-book.js';
import { pageOf } from './listing.js';
import type {
  AdmitBundleResult,
  AdmitResult,
  AppliedBlock,
  BlockSpace,
  Departure,
  DepartureReason,
  PendingLane,
  PendingPage,
  PendingQuery,
  PendingTransaction,
  PoolHead,
  PoolLimits,
  PoolStats,
  Reception,
  RememberedDeparture,
} from './pool-types.js';
import { type Selection, selectTransactions } from './selection.js';
import { type BundleMember, WaitingBundle } from './waiting-bundle.js';

export interface PoolOptions {
  readonly chainId: bigint;
  readonly head: PoolHead;
  readonly limits: PoolLimits;
  /** The accounts at the tip, asked anew at every use: they change with the tip, just before {@link Mempool.applyBlock}. */
  readonly accounts: AccountView;
  /** Told of every transaction that leaves, before the call that made it leave returns; may not call the pool. */
  readonly onDeparture?: (departure: Departure) => void;
  /** Told of every bundle that leaves, in the same way; of its transactions {@link onDeparture} is not told. */
  readonly onBundleDeparture?: (departure: BundleDeparture) => void;
}

/**
 * The transactions that wait for a block. A pure core: no clock, no I/O, no randomness; the same calls in the same
 * order give the same answers in every process.
 *
 * 1. Each (sender, lane) is a queue by nonce. From the account's next nonce up to the first one missing its
 *    transactions are *ready*; those beyond are *gapped* and wait until the gap closes, however they arrived.
 * 2. A block is drawn from the lanes' ready heads by tip, the higher first, then by arrival.
 * 3. One transaction for each (sender, lane, nonce): a second one replaces it for 10 % more on both fees.
 * 4. All that a sender has here may together cost no more than its balance.
 * 5. A full pool makes room from the ends of lanes, gapped ones first, the cheapest first, and only for a newcomer
 *    that pays more: what it does never makes a gap.
 * 6. Whatever leaves without being included is remembered for a while with the reason.
 * 7. Bundles wait beside the lanes, by the rules of {@link BundleBook}, and are drawn among the rest by price.
 *
 * Taking one in or out costs O(log n); drawing, following a block and listing cost that for each transaction they
 * touch. A new base fee costs O(lanes).
 */
export class Mempool {
  readonly #chainId: bigint;
  readonly #limits: PoolLimits;
  readonly #accounts: AccountView;
  readonly #onDeparture: ((departure: Departure) => void) | undefined;
  readonly #departures: DepartureMemory;
  #head: PoolHead;
  #baseFee: bigint;

  readonly #byArrival = new btree.default<number, Entry | BundleMember>();
  readonly #lanes: LaneBook;
  readonly #bundles: BundleBook;
  readonly #onBundleDeparture: ((departure: BundleDeparture) => void) | undefined;

  constructor(options: PoolOptions) {
    this.#chainId = options.chainId;
    this.#limits = options.limits;
    this.#accounts = options.accounts;
    this.#onDeparture = options.onDeparture;
    this.#departures = new DepartureMemory(options.limits.maxDepartures);
    this.#head = options.head;
    this.#baseFee = options.head.baseFee;
    this.#onBundleDeparture = options.onBundleDeparture;
    const { accounts, limits } = options;
    this.#lanes = new LaneBook(accounts, limits, this.#baseFee, (entry, reason, message) =>
      this.#depart(entry, reason, message),
    );
    this.#bundles = new BundleBook(accounts, limits, this.#baseFee, (waiting, reason, message) =>
      this.#departBundle(waiting, reason, message),
    );
  }

  get size(): number {
    return this.#lanes.transactions + this.#bundles.transactions;
  }

  /** Whether a block drawn now would get a transaction, as far as nonces and fees go. */
  hasReady(): boolean {
    return this.#lanes.hasReady || this.#bundles.hasReady;
  }

  /**
   * What can be refused before paying for a check of the signature. Says nothing about gaps, which transactions
   * still on their way may close. The transaction's signature may be bad.
   */
  precheck(transaction: VerifiedTransaction): TransactionError | undefined {
    return this.#examine(transaction) ?? this.#lanes.tooCheapForFullPool(transaction, this.#bundles);
  }

  /**
   * Takes a transaction in, or says why not; what has to leave for it leaves. Calls in the order of
   * {@link Reception.arrival} keep what comes out independent of how long signatures took to check.
   * @param transaction with a signature known to be good
   * @throws RangeError where the arrival number was given before
   */
  admit(transaction: VerifiedTransaction, reception: Reception): AdmitResult {
    this.#checkArrival(reception.arrival);
    const refused = this.#examine(transaction);
    if (refused !== undefined) return { admitted: false, error: refused };

    const { lane: laneId, nonce } = transaction.signed.transaction;
    const known = this.#lanes.lane(transaction.sender, laneId);
    const present = known?.find(nonce);
    const expected = known?.nextNonce ?? this.#accounts.nextNonce(transaction.sender, laneId);
    if (present === undefined) {
      const tooFar = checkGap(nonce, expected, this.#limits);
      if (tooFar !== undefined) return { admitted: false, error: tooFar };
    }
    const ready = present?.ready ?? nonce <= expected;
    const leaving = this.#lanes.roomFor(transaction, present, ready, this.#bundles);
    if (leaving instanceof TransactionError) return { admitted: false, error: leaving };

    for (const entry of leaving) {
      this.#lanes.drop(entry, 'evicted', 'the pool is full and others pay more');
    }
    const entry = this.#lanes.put(transaction, reception);
    this.#byArrival.set(entry.arrival, entry);
    this.#departures.forget(transaction.hashHex);
    return { admitted: true, pending: entry.view() };
  }

  /** As {@link precheck}, for a bundle. */
  precheckBundle(bundle: VerifiedBundle): TransactionError | undefined {
    if (this.#bundles.get(bundle.hashHex) !== undefined) {
      return new TransactionError('already_known', 'the bundle is in the pool already');
    }
    return checkBundle(bundle, this.#chainId, this.#head, this.#accounts, this.#limits);
  }

  /**
   * Takes a bundle in, or says why not; bundles that have to leave for it leave. Transactions in it may wait here on
   * their own as well, and in other bundles.
   * @param bundle with signatures known to be good
   * @param reception of its first transaction; the others take the arrival numbers that follow
   * @throws RangeError where one of these numbers was given before
   */
  admitBundle(bundle: VerifiedBundle, reception: Reception): AdmitBundleResult {
    const refused = this.precheckBundle(bundle);
    if (refused !== undefined) return { admitted: false, error: refused };
    const waiting = new WaitingBundle(bundle, reception);
    for (const { arrival } of waiting.members) this.#checkArrival(arrival);
    const followed = followBundle(bundle.transactions, waiting.lanes, this.#accounts);
    if (followed instanceof TransactionError) return { admitted: false, error: followed };
    const standing = followed ?? 'waiting';
    const leaving = this.#bundles.roomFor(waiting, standing, this.#lanes);
    if (leaving instanceof TransactionError) return { admitted: false, error: leaving };
    for (const other of leaving) {
      this.#bundles.drop(other, 'evicted', 'its bundle made room for one that pays more');
    }
    this.#bundles.put(waiting, standing);
    for (const member of waiting.members) {
      this.#byArrival.set(member.arrival, member);
      this.#departures.forget(member.transaction.hashHex);
    }
    return { admitted: true };
  }

  /** Draws the transactions of a block, in its order; they stay here until {@link applyBlock}. Expired ones leave. */
  select(space: BlockSpace): Selection {
    this.#setBaseFee(space.baseFee);
    this.#dropExpired(space.height);
    return selectTransactions(
      {
        heads: this.#lanes.heads,
        bundles: this.#bundles.ready,
        laneOf: (sender, lane) => this.#lanes.lane(sender, lane),
      },
      space,
    );
  }

  /** Brings the pool in line with a new tip: what was included leaves, and what can no longer be. */
  applyBlock(block: AppliedBlock): void {
    const included = new Set<string>();
    const changed = new Set<string>();
    for (const { hashHex, sender } of block.included) {
      included.add(hashHex);
      changed.add(sender);
    }
    for (const address of block.changed) changed.add(address);
    this.#lanes.follow(changed, included);
    this.#bundles.follow(changed, included);
    this.#head = block.head;
    this.#setBaseFee(block.head.baseFee);
    this.#dropExpired(block.head.height);
  }

  /** Takes out a transaction that turned out impossible to include; false where it is not here. */
  drop(hashHex: string, reason: DepartureReason, message: string): boolean {
    const entry = this.#lanes.get(hashHex);
    if (entry === undefined) return false;
    this.#lanes.drop(entry, reason, message);
    return true;
  }

  hasBundle(hashHex: string): boolean {
    return this.#bundles.get(hashHex) !== undefined;
  }

  /** Takes out a bundle that turned out impossible to include; false where it is not here. */
  dropBundle(hashHex: string, reason: DepartureReason, message: string): boolean {
    const waiting = this.#bundles.get(hashHex);
    if (waiting === undefined) return false;
    this.#bundles.drop(waiting, reason, message);
    return true;
  }

  /** Lets a bundle that could not be included now wait until an account of its senders changes. */
  parkBundle(hashHex: string): void {
    const waiting = this.#bundles.get(hashHex);
    if (waiting !== undefined) this.#bundles.park(waiting);
  }

  /** A transaction that waits on its own or in a bundle. */
  get(hashHex: string): PendingTransaction | undefined {
    return this.#find(hashHex)?.view();
  }

  /** Why a transaction left without being included; undefined where it did not, or long ago. */
  departure(hashHex: string): RememberedDeparture | undefined {
    return this.#departures.get(hashHex);
  }

  /** How many transactions wait in a lane on their own. */
  pendingCount(sender: string, lane: number): number {
    return this.#lanes.lane(sender, lane)?.size ?? 0;
  }

  /**
   * The first nonce that is neither used nor waiting: the one to build the next transaction with. What waits in bundles
   * takes no nonce, for it may never be included.
   */
  nextNonce(sender: string, lane: number): bigint {
    return this.#lanes.lane(sender, lane)?.nextNonce ?? this.#accounts.nextNonce(sender, lane);
  }

  /** Whether anything of an account waits on its own. */
  hasPending(sender: string): boolean {
    return this.#lanes.sender(sender) !== undefined;
  }

  /** The lanes in which an account has transactions waiting on their own, ascending. */
  lanesOf(sender: string): PendingLane[] {
    const lanes = [...(this.#lanes.sender(sender)?.lanes.values() ?? [])];
    return lanes
      .map(({ id, size, nextNonce }) => ({ lane: id, pending: size, nextNonce }))
      .sort((a, b) => a.lane - b.lane);
  }

  /**
   * A page of what waits, newest first. A cursor stays good while transactions come and go.
   * @throws PoolCursorError
   */
  list(query: PendingQuery): PendingPage {
    return pageOf(query, {
      byArrival: this.#byArrival,
      ownOf: (sender) => this.#ownOf(sender),
      // One that waits several times is listed once.
      isListed: (pending) => this.#find(pending.transaction.hashHex) === pending,
    });
  }

  /** What waits on its own, in the order of arrival: admitting it again in this order, then the bundles, restores the pool. */
  *transactions(): IterableIterator<VerifiedTransaction> {
    for (const pending of this.#byArrival.values()) {
      if (pending instanceof Entry) yield pending.transaction;
    }
  }

  /** The bundles that wait, in the order of arrival. */
  bundles(): IterableIterator<VerifiedBundle> {
    return this.#bundles.bundles();
  }

  stats(): PoolStats {
    const ready = this.#lanes.readyTransactions + this.#bundles.readyTransactions;
    return {
      size: this.size,
      bytes: this.#lanes.bytes + this.#bundles.bytes,
      capacity: this.#limits.maxTransactions,
      lanes: this.#lanes.lanes,
      ready,
      gapped: this.size - ready,
      bundles: this.#bundles.size,
      minFee: this.#lanes.minFee(this.#bundles),
      baseFee: this.#baseFee,
    };
  }

  /** Everything but gaps and room. */
  #examine(transaction: VerifiedTransaction): TransactionError | undefined {
    if (this.#find(transaction.hashHex) !== undefined) {
      return new TransactionError('already_known', 'the transaction is in the pool already');
    }
    return (
      checkTransaction(transaction, this.#chainId, this.#head, this.#limits) ??
      checkAccount(transaction, this.#lanes.sender(transaction.sender), this.#accounts, this.#limits)
    );
  }

  #setBaseFee(baseFee: bigint): void {
    if (baseFee === this.#baseFee) return;
    this.#baseFee = baseFee;
    this.#lanes.setBaseFee(baseFee);
    this.#bundles.setBaseFee(baseFee);
  }

  #dropExpired(height: bigint): void {
    this.#bundles.dropExpired(height);
    this.#lanes.dropExpired(height);
  }

  #checkArrival(arrival: number): void {
    if (!this.#byArrival.has(arrival)) return;
    throw new RangeError(`arrival number ${arrival} belongs to another transaction in the pool`);
  }

  #find(hashHex: string): Entry | BundleMember | undefined {
    return this.#lanes.get(hashHex) ?? this.#bundles.member(hashHex);
  }

  /** All of an account that waits, in no order. */
  *#ownOf(address: string): IterableIterator<Entry | BundleMember> {
    const sender = this.#lanes.sender(address);
    if (sender !== undefined) yield* sender.entries();
    yield* this.#bundles.membersOf(address);
  }

  #depart({ transaction, arrival }: Entry, reason: DepartureReason, message: string): void {
    this.#byArrival.delete(arrival);
    if (reason !== 'included') this.#departures.remember(transaction.hashHex, { reason, message });
    this.#onDeparture?.({ transaction, reason, message });
  }

  #departBundle({ bundle, members }: WaitingBundle, reason: DepartureReason, message: string): void {
    for (const { arrival, transaction } of members) {
      this.#byArrival.delete(arrival);
      if (reason !== 'included') this.#departures.remember(transaction.hashHex, { reason, message });
    }
    this.#onBundleDeparture?.({ bundle, reason, message });
  }
}
