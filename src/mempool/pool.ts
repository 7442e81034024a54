import type { AddressHex, BundleHashHex, TransactionHashHex } from '../ledger/hex-types.js';
import type { TransactionEnvelope, VerifiedTransaction } from '../ledger/transaction-envelope.js';
import type { BundleEnvelope, VerifiedBundle } from './bundles/bundle.js';
import { checkExtension } from './bundles/bundle-extension.js';
import { checkBundle, checkPermanentRules, reevaluateBundle } from './bundles/bundle-rules.js';
import { type BundleStatus, WaitingBundle } from './bundles/waiting-bundle.js';
import { BlockDraw, type Selection } from './draw/block-draw.js';
import { FirstInLine } from './draw/first-in-line.js';
import { TransactionError } from './errors.js';
import type { Entry } from './lanes/sender-lanes.js';
import { PoolContents, type PoolOptions } from './pool-contents.js';
import type {
  AdmitBundleResult,
  AdmitResult,
  AppliedBlock,
  BlockSpace,
  NextBlockContext,
  Reception,
  RemovalReason,
} from './pool-types.js';
import { checkAccount, checkGap } from './rules/account-rules.js';
import { checkTransaction } from './rules/admission-rules.js';
import { checkOpening } from './rules/envelope-rules.js';

/** Even a small pool takes back what is so far ahead: its limits may have been greater when it came. */
const MAX_AHEAD = 1_000_000;

/**
 * The transactions that wait for a block. A pure core: no I/O, no randomness, no clock but the one it is given; the same
 * calls in the same order give the same answers in every process.
 *
 * 1. Each (sender, lane) is a queue by nonce. From the account's next nonce up to the first one missing its
 *    transactions are *ready*; those beyond are *gapped* and wait until the gap closes, however they arrived.
 * 2. A block is drawn from the lanes' ready heads by tip, the higher first, then by arrival. One whose gas limit is more
 *    than the block has left when it is its turn comes first in the next; see {@link BlockDraw}.
 * 3. One transaction for each (sender, lane, nonce): a second one replaces it for 10 % more on both fees.
 * 4. All that a sender has here may together cost no more than its balance.
 * 5. A full pool makes room from the ends of lanes, which makes no gap. Gapped ones go first, for a ready newcomer at
 *    any price; ready ones go, the cheapest first, for a ready newcomer that pays more. None is worth more than those that
 *    have to be included before it. What gapped ones may have is for {@link GappedBook} to say.
 * 6. Whatever leaves without being included is remembered for a while with the reason.
 * 7. Bundles wait beside the lanes, by the rules of {@link BundleBook}, and are drawn among the rest by price.
 *
 * Taking one in or out costs O(log n); drawing, following a block and listing cost that for each transaction they
 * touch. A new base fee costs O(lanes).
 */
export class Mempool extends PoolContents {
  readonly #chainId: bigint;
  readonly #first = new FirstInLine();
  #head: NextBlockContext;

  constructor(options: PoolOptions) {
    super(options);
    this.#chainId = options.chainId;
    this.#head = options.head;
  }

  /**
   * What can be refused before paying for a check of the signature. Says nothing about gaps, which transactions
   * still on their way may close. The transaction's signature may be bad.
   */
  precheck(transaction: TransactionEnvelope): TransactionError | undefined {
    const refused = this.#examine(transaction) ?? checkOpening(transaction, this.#head);
    return refused ?? this.evictionPolicy.underpriced(transaction);
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
    const known = this.lanes.lane(transaction.sender, laneId);
    const present = known?.find(nonce);
    const expected = known?.nextNonce ?? this.accounts.nextNonce(transaction.sender, laneId);
    if (present === undefined) {
      const tooFar = checkGap(nonce, expected, this.limits);
      if (tooFar !== undefined) return { admitted: false, error: tooFar };
    }
    const ready = present?.ready ?? nonce <= expected;
    const leaving = this.evictionPolicy.roomFor(transaction, present, ready);
    if (leaving instanceof TransactionError) return { admitted: false, error: leaving };

    this.#evict(leaving);
    return { admitted: true, pending: this.#put(transaction, reception).view() };
  }

  /** Why a transaction that waited before a restart may not come back; its signature is not checked. */
  restoreError(transaction: TransactionEnvelope): TransactionError | undefined {
    const { sender, signed } = transaction;
    const { lane, nonce } = signed.transaction;
    if (this.lanes.get(transaction.hashHex) !== undefined) {
      return new TransactionError('already_known', 'the transaction is in the pool already');
    }
    const refused = checkTransaction(transaction, this.#chainId, this.#head, this.limits);
    if (refused !== undefined) return refused;
    const next = this.accounts.nextNonce(sender, lane);
    if (nonce < next) {
      return new TransactionError('nonce_too_low', `another transaction took its nonce, the next is ${next}`);
    }
    if (nonce - next <= BigInt(Math.max(this.limits.maxTransactions, MAX_AHEAD))) return undefined;
    return new TransactionError(
      'nonce_gap_too_large',
      `nonce ${nonce} of lane ${lane} is too far above the next, ${next}`,
    );
  }

  /** Remembers why a transaction that waited before a restart did not come back. */
  rememberRejection({ hashHex }: TransactionEnvelope, { reason, message }: TransactionError): void {
    if (reason !== 'already_known') this.removals.set(hashHex, { reason, message });
  }

  /**
   * Takes back what waited before a restart. It had its place: neither gaps, which may have opened after it came, nor what
   * else waits keep it out. Of two with the same nonce the later stays, for it replaced the other. Afterwards what the
   * accounts no longer allow leaves, and what is too much where the limits are smaller than they were.
   * @param waiting by arrival, with signatures known to be good
   * @returns how many are here again
   * @throws RangeError where an arrival number was given before
   */
  restore(
    waiting: readonly { readonly transaction: VerifiedTransaction; readonly reception: Reception }[],
  ): number {
    const before = this.lanes.transactions;
    const senders = new Set<AddressHex>();
    for (const { transaction, reception } of waiting) {
      this.#checkArrival(reception.arrival);
      if (this.restoreError(transaction) !== undefined) continue;
      this.#put(transaction, reception);
      senders.add(transaction.sender);
    }
    this.lanes.update(senders, new Set());
    this.#evict(this.evictionPolicy.excess());
    return this.lanes.transactions - before;
  }

  /** As {@link precheck}, for a bundle. */
  precheckBundle(bundle: BundleEnvelope): TransactionError | undefined {
    const present = this.bundleBook.get(bundle.hashHex);
    const tooShort = present === undefined ? undefined : checkExtension(present, bundle, this.limits);
    if (tooShort !== undefined) return tooShort;
    return (
      rejectionFor(this.bundleRejectionReason(bundle)) ??
      checkBundle(bundle, this.#chainId, this.#head, this.accounts, this.limits)
    );
  }

  /**
   * Takes a bundle in, or says why not; bundles that have to leave for it leave. Transactions in it may wait here on
   * their own as well, and in other bundles. One that is here already may come again with a later last height; see {@link extensionStep}.
   * @param bundle with signatures known to be good
   * @param reception of its first transaction; the others take the arrival numbers that follow
   * @throws RangeError where one of these numbers was given before
   */
  admitBundle(bundle: VerifiedBundle, reception: Reception): AdmitBundleResult {
    const refused = this.precheckBundle(bundle);
    if (refused !== undefined) return { admitted: false, error: refused };
    const present = this.bundleBook.get(bundle.hashHex);
    if (present !== undefined) {
      this.bundleBook.extend(present, bundle);
      return { admitted: true, extended: true };
    }
    const waiting = this.#newBundle(bundle, reception);
    const followed = reevaluateBundle(bundle.transactions, waiting.lanes, this.accounts);
    if (followed instanceof TransactionError) return { admitted: false, error: followed };
    const standing = followed ?? 'waiting';
    const leaving = this.bundleBook.roomFor(waiting, standing, this.lanes);
    if (leaving instanceof TransactionError) return { admitted: false, error: leaving };
    for (const other of leaving) {
      this.bundleBook.drop(other, 'evicted', 'its bundle made room for one that pays more');
    }
    this.#putBundle(waiting, standing);
    return { admitted: true, extended: false };
  }

  /** The bundle with its last height: where it has none of its own, that of the last of so many blocks from here on. */
  withMaxHeight<T extends TransactionEnvelope>(bundle: BundleEnvelope<T>): BundleEnvelope<T> {
    if (bundle.maxHeight !== undefined) return bundle;
    return { ...bundle, maxHeight: this.#head.height + BigInt(this.limits.bundleBlocks) - 1n };
  }

  /**
   * As {@link restore}, for bundles, to be called after it. One whose senders lack the balance goes on waiting for it.
   * @param waiting in the order in which they came, each with the reception of its first transaction
   */
  restoreBundles(
    waiting: readonly { readonly bundle: VerifiedBundle; readonly reception: Reception }[],
  ): number {
    const before = this.bundleBook.size;
    for (const { bundle, reception } of waiting) {
      if (this.bundleBook.get(bundle.hashHex) !== undefined) continue;
      if (checkPermanentRules(bundle, this.#chainId, this.#head, this.limits) !== undefined) continue;
      const restored = this.#newBundle(bundle, reception);
      const followed = reevaluateBundle(bundle.transactions, restored.lanes, this.accounts);
      if (followed instanceof TransactionError) continue;
      this.#putBundle(restored, followed ?? 'waiting');
    }
    for (const one of this.bundleBook.excess(this.lanes)) {
      this.bundleBook.drop(one, 'evicted', 'there is no longer room for its bundle');
    }
    return this.bundleBook.size - before;
  }

  /**
   * Begins to draw the transactions of a block; they stay here until {@link applyBlock}. Expired ones leave, but not for a height
   * that only a branch has.
   */
  draw(space: BlockSpace): BlockDraw {
    this.#setBaseFee(space.baseFee);
    this.#dropExpired(space.branch === undefined ? space.height : this.#head.height);
    return new BlockDraw(
      {
        heads: this.lanes.heads,
        bundles: this.bundleBook.ready,
        laneOf: (sender, lane) => this.lanes.lane(sender, lane),
        senderOf: (address) => this.lanes.sender(address),
        bundlesOf: (address, accounts) => this.bundleBook.readyWith(address, accounts),
        isHere: (waiting) => this.bundleBook.get(waiting.hashHex) === waiting,
        first: this.#first.take((entry) => this.lanes.get(entry.transaction.hashHex) === entry),
      },
      space,
    );
  }

  /** The first wave of {@link draw}. */
  select(space: BlockSpace): Selection {
    return this.draw(space).next({ gasLeft: space.gasLimit, bundleGas: 0n });
  }

  /** Tells that a block was sealed of what was drawn: those that were passed over for their gas limit come first in the next. */
  endDraw(draw: BlockDraw, { gasUsed }: { readonly gasUsed: bigint }): void {
    this.#first.afterBlock(draw.passedOver, draw.hasFirst && gasUsed * 2n > draw.gasLimit);
  }

  /** Brings the pool in line with a new tip: what was included leaves, and what can no longer be. */
  applyBlock(block: AppliedBlock): void {
    const included = new Set<TransactionHashHex>();
    const changed = new Set<AddressHex>();
    for (const { hashHex, sender } of block.included) {
      included.add(hashHex);
      changed.add(sender);
    }
    for (const address of block.changed) changed.add(address);
    this.lanes.update(changed, included);
    this.bundleBook.update(changed, included);
    this.#head = block.head;
    this.#setBaseFee(block.head.baseFee);
    this.#dropExpired(block.head.height);
  }

  /** Takes out a transaction that turned out impossible to include; false where it is not here. */
  drop(hashHex: TransactionHashHex, reason: RemovalReason, message: string): boolean {
    const entry = this.lanes.get(hashHex);
    if (entry === undefined) return false;
    this.lanes.drop(entry, reason, message);
    return true;
  }

  /** Takes out a bundle that turned out impossible to include; false where it is not here. */
  dropBundle(hashHex: BundleHashHex, reason: RemovalReason, message: string): boolean {
    const waiting = this.bundleBook.get(hashHex);
    if (waiting === undefined) return false;
    this.bundleBook.drop(waiting, reason, message);
    return true;
  }

  /** Takes out the bundles that have a transaction. */
  dropBundlesWith(hashHex: TransactionHashHex, reason: RemovalReason, message: string): void {
    for (const { waiting } of [...this.bundleBook.membersWithHash(hashHex)]) {
      this.bundleBook.drop(waiting, reason, message);
    }
  }

  /** Lets a bundle that could not be included now wait until an account of its senders changes. */
  parkBundle(hashHex: BundleHashHex): void {
    const waiting = this.bundleBook.get(hashHex);
    if (waiting !== undefined) this.bundleBook.park(waiting);
  }

  #put(transaction: VerifiedTransaction, reception: Reception): Entry {
    const entry = this.lanes.put(transaction, reception);
    this.byArrival.set(entry.arrival, entry);
    this.removals.delete(transaction.hashHex);
    return entry;
  }

  #evict(leaving: readonly Entry[]): void {
    for (const entry of leaving) {
      const why = entry.ready ? 'others pay more' : 'it waits behind a gap';
      this.lanes.drop(entry, 'evicted', `the pool is full, and ${why}`);
    }
  }

  #newBundle(bundle: VerifiedBundle, reception: Reception): WaitingBundle {
    const waiting = new WaitingBundle(bundle, reception);
    for (const { arrival } of waiting.members) this.#checkArrival(arrival);
    return waiting;
  }

  #putBundle(waiting: WaitingBundle, standing: BundleStatus): void {
    this.bundleBook.put(waiting, standing);
    for (const member of waiting.members) {
      this.byArrival.set(member.arrival, member);
      this.removals.delete(member.transaction.hashHex);
    }
  }

  /** Everything but gaps and room. One that waits in a bundle may wait on its own as well: others may have put it there. */
  #examine(transaction: TransactionEnvelope): TransactionError | undefined {
    if (this.lanes.get(transaction.hashHex) !== undefined) {
      return new TransactionError('already_known', 'the transaction is in the pool already');
    }
    return (
      rejectionFor(this.rejectionReason(transaction.hashHex)) ??
      checkTransaction(transaction, this.#chainId, this.#head, this.limits) ??
      checkAccount(transaction, this.lanes.sender(transaction.sender), this.accounts, this.limits)
    );
  }

  #setBaseFee(baseFee: bigint): void {
    if (baseFee === this.baseFee) return;
    this.baseFee = baseFee;
    this.lanes.setBaseFee(baseFee);
    this.bundleBook.setBaseFee(baseFee);
  }

  /** Takes out what has waited behind a gap for too long; done with every block as well. */
  dropOverdue(): void {
    this.lanes.dropOverdue();
  }

  #dropExpired(height: bigint): void {
    this.lanes.dropOverdue();
    this.bundleBook.dropExpired(height);
    this.lanes.dropExpired(height);
  }

  #checkArrival(arrival: number): void {
    if (!this.byArrival.has(arrival)) return;
    throw new RangeError(`arrival number ${arrival} belongs to another transaction in the pool`);
  }
}

function rejectionFor(reasonOut: string | undefined): TransactionError | undefined {
  return reasonOut === undefined ? undefined : new TransactionError('already_known', reasonOut);
}
