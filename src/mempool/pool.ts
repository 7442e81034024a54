import btree from 'sorted-btree';
import { priorityPrice } from '../ledger/fees.js';
import type { VerifiedTransaction } from '../ledger/verified-transaction.js';
import { checkAccount, checkGap } from './account-rules.js';
import type { AccountView } from './account-view.js';
import { checkTransaction } from './admission-rules.js';
import type { VerifiedBundle } from './bundle.js';
import { BundleBook, type BundleDeparture } from './bundle-book.js';
import { checkBundle, followBundle } from './bundle-rules.js';
import { transactionCost } from './cost.js';
import { DepartureMemory } from './departures.js';
import { Entry } from './entry.js';
import { TransactionError } from './errors.js';
import { Heap } from './heap.js';
import type { Lane } from './lane.js';
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
import { findRoom, lowestTip, type Newcomer } from './room.js';
import { type Selection, selectTransactions } from './selection.js';
import { Sender } from './sender.js';
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

  readonly #byHash = new Map<string, Entry>();
  readonly #byArrival = new btree.default<number, Entry | BundleMember>();
  readonly #senders = new Map<string, Sender>();
  /** Lanes with a ready head, in the order in which they are drawn. */
  readonly #heads = new Heap<Lane>('highest');
  /** Every lane, by its tail, in one of the two. */
  readonly #tails = { gapped: new Heap<Lane>('lowest'), ready: new Heap<Lane>('lowest') };
  readonly #expiring = new Heap<Entry>('lowest');
  readonly #bundles: BundleBook;
  readonly #onBundleDeparture: ((departure: BundleDeparture) => void) | undefined;
  #bytes = 0;
  #ready = 0;

  constructor(options: PoolOptions) {
    this.#chainId = options.chainId;
    this.#limits = options.limits;
    this.#accounts = options.accounts;
    this.#onDeparture = options.onDeparture;
    this.#departures = new DepartureMemory(options.limits.maxDepartures);
    this.#head = options.head;
    this.#baseFee = options.head.baseFee;
    this.#onBundleDeparture = options.onBundleDeparture;
    this.#bundles = new BundleBook(
      options.accounts,
      options.limits,
      this.#baseFee,
      (waiting, reason, message) => this.#departBundle(waiting, reason, message),
    );
  }

  get size(): number {
    return this.#byHash.size + this.#bundles.transactions;
  }

  /** Whether a block drawn now would get a transaction, as far as nonces and fees go. */
  hasReady(): boolean {
    const best = this.#heads.first;
    return (best !== undefined && best.key >= 0n) || this.#bundles.hasReady;
  }

  /**
   * What can be refused before paying for a check of the signature. Says nothing about gaps, which transactions
   * still on their way may close. The transaction's signature may be bad.
   */
  precheck(transaction: VerifiedTransaction): TransactionError | undefined {
    return this.#examine(transaction) ?? this.#tooCheapForFullPool(transaction);
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
    const known = this.#senders.get(transaction.sender)?.lanes.get(laneId);
    const present = known?.find(nonce);
    const expected = known?.nextNonce ?? this.#accounts.nextNonce(transaction.sender, laneId);
    if (present === undefined) {
      const tooFar = checkGap(nonce, expected, this.#limits);
      if (tooFar !== undefined) return { admitted: false, error: tooFar };
    }
    const leaving = this.#roomFor(transaction, present, {
      tip: this.#tipOf(transaction),
      ready: present?.ready ?? nonce <= expected,
      lane: known,
    });
    if (leaving instanceof TransactionError) return { admitted: false, error: leaving };

    for (const entry of leaving) {
      this.#drop(entry, 'evicted', 'the pool is full and others pay more');
    }
    const sender = this.#senders.get(transaction.sender) ?? new Sender(transaction.sender);
    this.#senders.set(sender.address, sender);
    const lane = sender.open(laneId, this.#accounts.nextNonce(sender.address, laneId));
    const entry = new Entry(
      transaction,
      reception,
      transactionCost(transaction.signed.transaction),
      lane,
      lane.positionOf(nonce),
    );
    this.#insert(entry, present);
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
    const leaving = this.#bundles.roomFor(waiting, standing, {
      transactions: this.#byHash.size,
      bytes: this.#bytes,
    });
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
        heads: this.#heads,
        bundles: this.#bundles.ready,
        laneOf: (sender, lane) => this.#senders.get(sender)?.lanes.get(lane),
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
    for (const address of changed) {
      const sender = this.#senders.get(address);
      if (sender !== undefined) this.#followAccount(sender, included);
    }
    this.#bundles.follow(changed, included);
    this.#head = block.head;
    this.#setBaseFee(block.head.baseFee);
    this.#dropExpired(block.head.height);
  }

  /** Takes out a transaction that turned out impossible to include; false where it is not here. */
  drop(hashHex: string, reason: DepartureReason, message: string): boolean {
    const entry = this.#byHash.get(hashHex);
    if (entry === undefined) return false;
    this.#drop(entry, reason, message);
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
    return this.#senders.get(sender)?.lanes.get(lane)?.size ?? 0;
  }

  /**
   * The first nonce that is neither used nor waiting: the one to build the next transaction with. What waits in bundles
   * takes no nonce, for it may never be included.
   */
  nextNonce(sender: string, lane: number): bigint {
    return this.#senders.get(sender)?.lanes.get(lane)?.nextNonce ?? this.#accounts.nextNonce(sender, lane);
  }

  /** Whether anything of an account waits on its own. */
  hasPending(sender: string): boolean {
    return this.#senders.has(sender);
  }

  /** The lanes in which an account has transactions waiting on their own, ascending. */
  lanesOf(sender: string): PendingLane[] {
    const lanes = [...(this.#senders.get(sender)?.lanes.values() ?? [])];
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
    const ready = this.#ready + this.#bundles.readyTransactions;
    return {
      size: this.size,
      bytes: this.#bytes + this.#bundles.bytes,
      capacity: this.#limits.maxTransactions,
      lanes: this.#tails.gapped.size + this.#tails.ready.size,
      ready,
      gapped: this.size - ready,
      bundles: this.#bundles.size,
      minFee: this.#minFee(),
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
      checkAccount(transaction, this.#senders.get(transaction.sender), this.#accounts, this.#limits)
    );
  }

  /** What has to leave so that a transaction fits, or why it cannot come in. */
  #roomFor(
    { encoded }: VerifiedTransaction,
    present: Entry | undefined,
    newcomer: Newcomer,
  ): Entry[] | TransactionError {
    const needed = {
      transactions: this.size + (present === undefined ? 1 : 0) - this.#limits.maxTransactions,
      bytes:
        this.#bytes + this.#bundles.bytes + encoded.length - (present?.bytes ?? 0) - this.#limits.maxBytes,
    };
    if (needed.transactions <= 0 && needed.bytes <= 0) return [];
    const leaving = findRoom(needed, newcomer, this.#tails, this.#baseFee);
    if (leaving !== undefined) return leaving;
    const lowest = lowestTip(this.#tails);
    if (newcomer.ready && lowest !== undefined && newcomer.tip <= lowest)
      return this.#cheapError(newcomer.tip);
    return new TransactionError('pool_full', 'the pool is full of transactions that go before this one', {
      size: this.size,
      bytes: this.#bytes,
    });
  }

  /** A transaction that could not displace any other, wherever it stands in its lane. */
  #tooCheapForFullPool(transaction: VerifiedTransaction): TransactionError | undefined {
    const { lane, nonce } = transaction.signed.transaction;
    if (this.size < this.#limits.maxTransactions) return undefined;
    if (this.#senders.get(transaction.sender)?.find(lane, nonce) !== undefined) return undefined;
    const tip = this.#tipOf(transaction);
    const lowest = lowestTip(this.#tails);
    return lowest !== undefined && tip <= lowest ? this.#cheapError(tip) : undefined;
  }

  #cheapError(tip: bigint): TransactionError {
    const needed = this.#minFee();
    const priority = needed > this.#baseFee ? needed - this.#baseFee : 0n;
    return new TransactionError(
      'fee_too_low',
      `the pool is full; with a base fee of ${this.#baseFee} the transaction pays ${tip} on top, it takes a ` +
        `max_fee of ${needed} and a priority_fee of ${priority} to get in`,
      { needed },
    );
  }

  #minFee(): bigint {
    const { minFee, maxTransactions } = this.#limits;
    if (this.size < maxTransactions) return minFee;
    const lowest = lowestTip(this.#tails);
    if (lowest === undefined) return minFee;
    const needed = this.#baseFee + lowest + 1n;
    return needed > minFee ? needed : minFee;
  }

  #tipOf(transaction: VerifiedTransaction): bigint {
    return priorityPrice(transaction.signed.transaction, this.#baseFee);
  }

  #insert(entry: Entry, replaced: Entry | undefined): void {
    const { lane, transaction } = entry;
    const readyBefore = lane.readySize;
    lane.put(entry);
    if (replaced !== undefined) {
      this.#forget(replaced);
      this.#depart(replaced, 'replaced', `replaced by 0x${transaction.hashHex}, which pays more`);
    }
    lane.sender.cost += entry.cost;
    lane.sender.size++;
    this.#bytes += entry.bytes;
    this.#byHash.set(transaction.hashHex, entry);
    this.#byArrival.set(entry.arrival, entry);
    if (entry.expiryNode !== undefined) {
      this.#expiring.put(entry.expiryNode, entry.validUntil ?? 0n, entry.arrival);
    }
    this.#departures.forget(transaction.hashHex);
    this.#settle(lane, readyBefore);
  }

  #followAccount(sender: Sender, included: ReadonlySet<string>): void {
    for (const lane of [...sender.lanes.values()]) {
      const next = this.#accounts.nextNonce(sender.address, lane.id);
      const readyBefore = lane.readySize;
      const passed = lane.advance(next);
      for (const entry of passed) this.#forget(entry);
      this.#settle(lane, readyBefore);
      for (const entry of passed) {
        if (included.has(entry.transaction.hashHex)) this.#depart(entry, 'included', 'included in a block');
        else this.#depart(entry, 'nonce_too_low', `another transaction took its nonce, the next is ${next}`);
      }
    }
    const balance = this.#accounts.balance(sender.address);
    while (sender.cost > balance) {
      const entry = sender.newestTail();
      if (entry === undefined) return;
      const message = `the account's balance fell to ${balance}, what it has waiting may cost ${sender.cost}`;
      this.#drop(entry, 'insufficient_balance', message);
    }
  }

  #dropExpired(height: bigint): void {
    this.#bundles.dropExpired(height);
    for (;;) {
      const first = this.#expiring.first;
      if (first === undefined || first.key >= height) return;
      this.#drop(first.value, 'expired', `valid until height ${first.key}, which is past`);
    }
  }

  #drop(entry: Entry, reason: DepartureReason, message: string): void {
    const { lane } = entry;
    const readyBefore = lane.readySize;
    lane.remove(entry);
    this.#forget(entry);
    this.#settle(lane, readyBefore);
    this.#depart(entry, reason, message);
  }

  /** Takes an entry that is out of its lane out of everything else. */
  #forget(entry: Entry): void {
    entry.lane.sender.cost -= entry.cost;
    entry.lane.sender.size--;
    this.#bytes -= entry.bytes;
    this.#byHash.delete(entry.transaction.hashHex);
    this.#byArrival.delete(entry.arrival);
    if (entry.expiryNode !== undefined) this.#expiring.remove(entry.expiryNode);
  }

  #depart({ transaction }: Entry, reason: DepartureReason, message: string): void {
    if (reason !== 'included') this.#departures.remember(transaction.hashHex, { reason, message });
    this.#onDeparture?.({ transaction, reason, message });
  }

  /** Puts a lane that changed in its places. */
  #settle(lane: Lane, readyBefore: number): void {
    this.#ready += lane.readySize - readyBefore;
    const { head } = lane;
    if (head === undefined) this.#heads.remove(lane.headNode);
    else this.#heads.put(lane.headNode, head.tip(this.#baseFee), head.arrival);

    this.#settleTail(lane);
    if (lane.size > 0) return;
    lane.sender.lanes.delete(lane.id);
    if (lane.sender.lanes.size === 0) this.#senders.delete(lane.sender.address);
  }

  #settleTail(lane: Lane): void {
    const { tail } = lane;
    const belongs = tail === undefined ? undefined : this.#tails[tail.ready ? 'ready' : 'gapped'];
    if (lane.tails !== undefined && lane.tails !== belongs) lane.tails.remove(lane.tailNode);
    if (tail !== undefined) belongs?.put(lane.tailNode, tail.tip(this.#baseFee), -tail.arrival);
    lane.tails = belongs;
  }

  #setBaseFee(baseFee: bigint): void {
    if (baseFee === this.#baseFee) return;
    this.#baseFee = baseFee;
    this.#heads.rekey(({ head }) => head?.tip(baseFee) ?? 0n);
    const tailTip = ({ tail }: Lane) => tail?.tip(baseFee) ?? 0n;
    this.#tails.gapped.rekey(tailTip);
    this.#tails.ready.rekey(tailTip);
    this.#bundles.setBaseFee(baseFee);
  }

  #checkArrival(arrival: number): void {
    if (!this.#byArrival.has(arrival)) return;
    throw new RangeError(`arrival number ${arrival} belongs to another transaction in the pool`);
  }

  #find(hashHex: string): Entry | BundleMember | undefined {
    return this.#byHash.get(hashHex) ?? this.#bundles.member(hashHex);
  }

  /** All of an account that waits, in no order. */
  *#ownOf(address: string): IterableIterator<Entry | BundleMember> {
    const sender = this.#senders.get(address);
    if (sender !== undefined) yield* sender.entries();
    yield* this.#bundles.membersOf(address);
  }

  #departBundle({ bundle, members }: WaitingBundle, reason: DepartureReason, message: string): void {
    for (const { arrival, transaction } of members) {
      this.#byArrival.delete(arrival);
      if (reason !== 'included') this.#departures.remember(transaction.hashHex, { reason, message });
    }
    this.#onBundleDeparture?.({ bundle, reason, message });
  }
}
