import { priorityPrice } from '../ledger/fees.js';
import type { VerifiedTransaction } from '../ledger/verified-transaction.js';
import type { AccountView } from './account-view.js';
import { transactionCost } from './cost.js';
import { Entry } from './entry.js';
import { TransactionError } from './errors.js';
import { Heap } from './heap.js';
import type { Lane } from './lane.js';
import type { DepartureReason, PoolLimits, Reception } from './pool-types.js';
import { findRoom, lowestTip, type PoolShare } from './room.js';
import { Sender } from './sender.js';

/** A transaction that left, as the pool has it. */
type Left = (entry: Entry, reason: DepartureReason, message: string) => void;

/**
 * The transactions that wait for a block on their own, in the lanes of their senders; rules 1 to 5 of `pool.ts`.
 *
 * Hot path: every transaction passes here; `bench/mempool.bench.ts` guards it.
 */
export class LaneBook {
  readonly #accounts: AccountView;
  readonly #limits: PoolLimits;
  readonly #onLeft: Left;
  readonly #byHash = new Map<string, Entry>();
  readonly #senders = new Map<string, Sender>();
  /** Every lane, by its tail, in one of the two. */
  readonly #tails = { gapped: new Heap<Lane>('lowest'), ready: new Heap<Lane>('lowest') };
  readonly #expiring = new Heap<Entry>('lowest');
  #readyTransactions = 0;
  #bytes = 0;
  #baseFee: bigint;

  /** Lanes with a ready head, in the order in which they are drawn. */
  readonly heads = new Heap<Lane>('highest');

  constructor(accounts: AccountView, limits: PoolLimits, baseFee: bigint, onLeft: Left) {
    this.#accounts = accounts;
    this.#limits = limits;
    this.#baseFee = baseFee;
    this.#onLeft = onLeft;
  }

  get transactions(): number {
    return this.#byHash.size;
  }

  get readyTransactions(): number {
    return this.#readyTransactions;
  }

  /** Their encoded size. */
  get bytes(): number {
    return this.#bytes;
  }

  /** How many lanes have at least one. */
  get lanes(): number {
    return this.#tails.gapped.size + this.#tails.ready.size;
  }

  /** Whether a block drawn now would get one, as far as nonces and fees go. */
  get hasReady(): boolean {
    const best = this.heads.first;
    return best !== undefined && best.key >= 0n;
  }

  get(hashHex: string): Entry | undefined {
    return this.#byHash.get(hashHex);
  }

  /** What an account has waiting; undefined where it has nothing. */
  sender(address: string): Sender | undefined {
    return this.#senders.get(address);
  }

  /** A sender's lane; undefined where it has nothing waiting. */
  lane(address: string, lane: number): Lane | undefined {
    return this.#senders.get(address)?.lanes.get(lane);
  }

  /** The least max_fee that gets a transaction in now. */
  minFee(bundled: PoolShare): bigint {
    const { minFee, maxTransactions } = this.#limits;
    if (this.transactions + bundled.transactions < maxTransactions) return minFee;
    const lowest = lowestTip(this.#tails);
    if (lowest === undefined) return minFee;
    const needed = this.#baseFee + lowest + 1n;
    return needed > minFee ? needed : minFee;
  }

  /**
   * What has to leave so that a transaction fits, or why it cannot come in.
   * @param present the one that it would replace
   * @param ready whether it would wait for no earlier nonce
   * @param bundled what bundles take of the pool
   */
  roomFor(
    transaction: VerifiedTransaction,
    present: Entry | undefined,
    ready: boolean,
    bundled: PoolShare,
  ): Entry[] | TransactionError {
    const size = this.transactions + bundled.transactions;
    const { maxTransactions, maxBytes } = this.#limits;
    const needed = {
      transactions: size + (present === undefined ? 1 : 0) - maxTransactions,
      bytes: this.#bytes + bundled.bytes + transaction.encoded.length - (present?.bytes ?? 0) - maxBytes,
    };
    if (needed.transactions <= 0 && needed.bytes <= 0) return [];
    const lane = this.lane(transaction.sender, transaction.signed.transaction.lane);
    const tip = this.#tipOf(transaction);
    const leaving = findRoom(needed, { tip, ready, lane }, this.#tails, this.#baseFee);
    if (leaving !== undefined) return leaving;
    const lowest = lowestTip(this.#tails);
    if (ready && lowest !== undefined && tip <= lowest) return this.#tooCheap(tip, bundled);
    return new TransactionError('pool_full', 'the pool is full of transactions that go before this one', {
      size,
      bytes: this.#bytes + bundled.bytes,
    });
  }

  /** Why a transaction could not displace any other of a full pool, wherever it stands in its lane. */
  tooCheapForFullPool(transaction: VerifiedTransaction, bundled: PoolShare): TransactionError | undefined {
    const { lane, nonce } = transaction.signed.transaction;
    if (this.transactions + bundled.transactions < this.#limits.maxTransactions) return undefined;
    if (this.#senders.get(transaction.sender)?.find(lane, nonce) !== undefined) return undefined;
    const tip = this.#tipOf(transaction);
    const lowest = lowestTip(this.#tails);
    return lowest !== undefined && tip <= lowest ? this.#tooCheap(tip, bundled) : undefined;
  }

  /** Puts a transaction into its lane, in the place of one of the same nonce that may be there. */
  put(transaction: VerifiedTransaction, reception: Reception): Entry {
    const { lane: laneId, nonce } = transaction.signed.transaction;
    const sender = this.#senders.get(transaction.sender) ?? new Sender(transaction.sender);
    this.#senders.set(sender.address, sender);
    const lane = sender.open(laneId, this.#accounts.nextNonce(sender.address, laneId));
    const replaced = lane.find(nonce);
    const cost = transactionCost(transaction.signed.transaction);
    const entry = new Entry(transaction, reception, cost, lane, lane.positionOf(nonce));
    const readyBefore = lane.readySize;
    lane.put(entry);
    if (replaced !== undefined) {
      this.#forget(replaced);
      this.#onLeft(replaced, 'replaced', `replaced by 0x${transaction.hashHex}, which pays more`);
    }
    sender.cost += entry.cost;
    sender.size++;
    this.#bytes += entry.bytes;
    this.#byHash.set(transaction.hashHex, entry);
    if (entry.expiryNode !== undefined) {
      this.#expiring.put(entry.expiryNode, entry.validUntil ?? 0n, entry.arrival);
    }
    this.#settle(lane, readyBefore);
    return entry;
  }

  /** Takes a transaction out, and tells so. */
  drop(entry: Entry, reason: DepartureReason, message: string): void {
    const { lane } = entry;
    const readyBefore = lane.readySize;
    lane.remove(entry);
    this.#forget(entry);
    this.#settle(lane, readyBefore);
    this.#onLeft(entry, reason, message);
  }

  /**
   * Brings the lanes of accounts that changed in line with them.
   * @param included hashes of the transactions of the block that changed them
   */
  follow(changed: Iterable<string>, included: ReadonlySet<string>): void {
    for (const address of changed) {
      const sender = this.#senders.get(address);
      if (sender !== undefined) this.#followAccount(sender, included);
    }
  }

  dropExpired(height: bigint): void {
    for (;;) {
      const first = this.#expiring.first;
      if (first === undefined || first.key >= height) return;
      this.drop(first.value, 'expired', `valid until height ${first.key}, which is past`);
    }
  }

  setBaseFee(baseFee: bigint): void {
    this.#baseFee = baseFee;
    this.heads.rekey(({ head }) => head?.tip(baseFee) ?? 0n);
    const tailTip = ({ tail }: Lane) => tail?.tip(baseFee) ?? 0n;
    this.#tails.gapped.rekey(tailTip);
    this.#tails.ready.rekey(tailTip);
  }

  #followAccount(sender: Sender, included: ReadonlySet<string>): void {
    for (const lane of [...sender.lanes.values()]) {
      const next = this.#accounts.nextNonce(sender.address, lane.id);
      const readyBefore = lane.readySize;
      const passed = lane.advance(next);
      for (const entry of passed) this.#forget(entry);
      this.#settle(lane, readyBefore);
      for (const entry of passed) {
        if (included.has(entry.transaction.hashHex)) this.#onLeft(entry, 'included', 'included in a block');
        else this.#onLeft(entry, 'nonce_too_low', `another transaction took its nonce, the next is ${next}`);
      }
    }
    const balance = this.#accounts.balance(sender.address);
    while (sender.cost > balance) {
      const entry = sender.newestTail();
      if (entry === undefined) return;
      const message = `the account's balance fell to ${balance}, what it has waiting may cost ${sender.cost}`;
      this.drop(entry, 'insufficient_balance', message);
    }
  }

  /** Takes an entry that is out of its lane out of everything else. */
  #forget(entry: Entry): void {
    entry.lane.sender.cost -= entry.cost;
    entry.lane.sender.size--;
    this.#bytes -= entry.bytes;
    this.#byHash.delete(entry.transaction.hashHex);
    if (entry.expiryNode !== undefined) this.#expiring.remove(entry.expiryNode);
  }

  /** Puts a lane that changed in its places. */
  #settle(lane: Lane, readyBefore: number): void {
    this.#readyTransactions += lane.readySize - readyBefore;
    const { head } = lane;
    if (head === undefined) this.heads.remove(lane.headNode);
    else this.heads.put(lane.headNode, head.tip(this.#baseFee), head.arrival);

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

  #tipOf(transaction: VerifiedTransaction): bigint {
    return priorityPrice(transaction.signed.transaction, this.#baseFee);
  }

  #tooCheap(tip: bigint, bundled: PoolShare): TransactionError {
    const needed = this.minFee(bundled);
    const priority = needed > this.#baseFee ? needed - this.#baseFee : 0n;
    return new TransactionError(
      'fee_too_low',
      `the pool is full; with a base fee of ${this.#baseFee} the transaction pays ${tip} on top, it takes a ` +
        `max_fee of ${needed} and a priority_fee of ${priority} to get in`,
      { needed },
    );
  }
}
