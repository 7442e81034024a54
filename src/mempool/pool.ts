import btree from 'sorted-btree';
import { priorityPrice } from '../ledger/fees.js';
import type { VerifiedTransaction } from '../ledger/verified-transaction.js';
import { checkAccount, checkGap } from './account-rules.js';
import type { AccountView } from './account-view.js';
import { checkTransaction } from './admission-rules.js';
import { transactionCost } from './cost.js';
import { DepartureMemory } from './departures.js';
import { Entry } from './entry.js';
import { TransactionError } from './errors.js';
import { Heap } from './heap.js';
import type { Lane } from './lane.js';
import { pageOf } from './listing.js';
import type {
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
import { selectTransactions } from './selection.js';
import { Sender } from './sender.js';

export interface PoolOptions {
  readonly chainId: bigint;
  readonly head: PoolHead;
  readonly limits: PoolLimits;
  /** The accounts at the tip, asked anew at every use: they change with the tip, just before {@link Mempool.applyBlock}. */
  readonly accounts: AccountView;
  /** Told of every transaction that leaves, before the call that made it leave returns; may not call the pool. */
  readonly onDeparture?: (departure: Departure) => void;
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
  readonly #byArrival = new btree.default<number, Entry>();
  readonly #senders = new Map<string, Sender>();
  /** Lanes with a ready head, in the order in which they are drawn. */
  readonly #heads = new Heap<Lane>('highest');
  /** Every lane, by its tail, in one of the two. */
  readonly #tails = { gapped: new Heap<Lane>('lowest'), ready: new Heap<Lane>('lowest') };
  readonly #expiring = new Heap<Entry>('lowest');
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
  }

  get size(): number {
    return this.#byHash.size;
  }

  /** Whether a block drawn now would get a transaction, as far as nonces and fees go. */
  hasReady(): boolean {
    const best = this.#heads.first;
    return best !== undefined && best.key >= 0n;
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
    if (this.#byArrival.has(reception.arrival)) {
      throw new RangeError(`arrival number ${reception.arrival} belongs to another transaction in the pool`);
    }
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

  /** Draws the transactions of a block, in its order; they stay here until {@link applyBlock}. Expired ones leave. */
  select(space: BlockSpace): VerifiedTransaction[] {
    this.#setBaseFee(space.baseFee);
    this.#dropExpired(space.height);
    return selectTransactions(this.#heads, space);
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

  get(hashHex: string): PendingTransaction | undefined {
    return this.#byHash.get(hashHex)?.view();
  }

  /** Why a transaction left without being included; undefined where it did not, or long ago. */
  departure(hashHex: string): RememberedDeparture | undefined {
    return this.#departures.get(hashHex);
  }

  /** How many transactions wait in a lane. */
  pendingCount(sender: string, lane: number): number {
    return this.#senders.get(sender)?.lanes.get(lane)?.size ?? 0;
  }

  /** The first nonce that is neither used nor waiting: the one to build the next transaction with. */
  nextNonce(sender: string, lane: number): bigint {
    return this.#senders.get(sender)?.lanes.get(lane)?.nextNonce ?? this.#accounts.nextNonce(sender, lane);
  }

  /** Whether anything of an account waits. */
  hasPending(sender: string): boolean {
    return this.#senders.has(sender);
  }

  /** The lanes in which an account has transactions waiting, ascending. */
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
    const sender = query.sender === undefined ? undefined : this.#senders.get(query.sender);
    return pageOf(query, this.#byArrival, sender);
  }

  /** Everything that waits, in the order of arrival: admitting it again in this order restores the pool. */
  *transactions(): IterableIterator<VerifiedTransaction> {
    for (const entry of this.#byArrival.values()) yield entry.transaction;
  }

  stats(): PoolStats {
    return {
      size: this.size,
      bytes: this.#bytes,
      capacity: this.#limits.maxTransactions,
      lanes: this.#tails.gapped.size + this.#tails.ready.size,
      ready: this.#ready,
      gapped: this.size - this.#ready,
      minFee: this.#minFee(),
      baseFee: this.#baseFee,
    };
  }

  /** Everything but gaps and room. */
  #examine(transaction: VerifiedTransaction): TransactionError | undefined {
    if (this.#byHash.has(transaction.hashHex)) {
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
      bytes: this.#bytes + encoded.length - (present?.bytes ?? 0) - this.#limits.maxBytes,
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
  }
}
