import type { AddressHex, BundleHashHex, TransactionHashHex } from '../ledger/hex-types.js';
import type { TransactionEnvelope, VerifiedTransaction } from '../ledger/transaction-envelope.js';
import type { BundleEnvelope, VerifiedBundle } from './bundles/bundle.js';
import {
  checkBundle,
  checkExtension,
  checkPermanentRules,
  reevaluateBundle,
} from './bundles/bundle-rules.js';
import { type BundleStatus, WaitingBundle } from './bundles/waiting-bundle.js';
import { BlockDraw, type Selection } from './draw/block-draw.js';
import { FirstInLine } from './draw/first-in-line.js';
import { TransactionError } from './errors.js';
import type { Entry } from './lanes/sender-lanes.js';
import { PoolContents, type PoolOptions, pricesOf } from './pool-contents.js';
import type {
  AdmissionContext,
  AdmitBundleResult,
  AdmitResult,
  AppliedBlock,
  BlockSpace,
  Reception,
  RemovalReason,
} from './pool-types.js';
import type { Prices } from './prices.js';
import { checkAccount, checkGap } from './rules/account-rules.js';
import { checkTransaction } from './rules/admission-rules.js';
import { checkOpening, checkRoom } from './rules/envelope-rules.js';

/** Restored transactions may be this far ahead even in a small pool: it may have been larger before. */
const MAX_AHEAD = 1_000_000;

/**
 * The transactions waiting for a block. A pure core: no I/O, no randomness, and no clock but the given one; the same
 * calls in the same order give the same results in every process.
 *
 * 1. Each (sender, lane) is a queue by nonce. Transactions from the account's next nonce up to the first missing one
 *    are *ready*; those after it are *gapped* and wait until the gap closes, regardless of arrival order.
 * 2. A block is drawn from the ready heads of the lanes by descending tip, then by arrival. A transaction whose gas
 *    limit exceeds the remaining gas at its turn comes first in the next block; see {@link BlockDraw}.
 * 3. There is one transaction for each (sender, lane, nonce): a second one replaces it for 10 % more on both fees.
 * 4. The total cost of a sender's transactions must not exceed its balance.
 * 5. A full pool evicts only from the ends of lanes, so that no gap arises. Gapped transactions go first and yield to
 *    a new ready one at any price; then ready ones, cheapest first, yield to a new ready one that pays more. No
 *    transaction is worth more than its predecessors in the lane. {@link GappedBook} limits the gapped ones.
 * 6. Transactions that leave without being included are remembered for a while with the reason.
 * 7. Bundles wait outside the lanes, by the rules of {@link BundleBook}, and are drawn among the rest by price.
 *
 * Admission and removal cost O(log n); drawing, applying a block and listing cost O(log n) per transaction touched. A
 * new base fee costs O(lanes).
 */
export class Mempool extends PoolContents {
  readonly #first = new FirstInLine();
  #context: AdmissionContext;

  constructor(options: PoolOptions) {
    super(options);
    const { chainId, head, accounts, limits } = options;
    this.#context = { chainId, head, accounts, limits };
  }

  /** Checks before the signature is; ignores gaps, which transactions in flight may close. */
  precheck(transaction: TransactionEnvelope): TransactionError | undefined {
    const refused =
      this.#examine(transaction) ??
      checkOpening(transaction, this.#context.head) ??
      this.#checkRoom(transaction);
    return refused ?? this.evictionPolicy.underpriced(transaction);
  }

  /**
   * Admits a transaction, evicting others if necessary, or returns why not. Calling it in the order of {@link
   * Reception.arrival} makes the result independent of the duration of signature checks.
   * @param transaction a transaction with a valid signature
   * @throws RangeError if the arrival number is in use
   */
  admit(transaction: VerifiedTransaction, reception: Reception): AdmitResult {
    this.#checkArrival(reception.arrival);
    // Others may have taken the height's slots during the signature check.
    const refused = this.#examine(transaction) ?? this.#checkRoom(transaction);
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

  /** The reason that a transaction from before a restart cannot be restored; does not check its signature. */
  restoreError(transaction: TransactionEnvelope): TransactionError | undefined {
    const { sender, signed } = transaction;
    const { lane, nonce } = signed.transaction;
    if (this.lanes.get(transaction.hashHex) !== undefined) {
      return new TransactionError('already_known', 'the transaction is in the pool already');
    }
    const refused = checkTransaction(transaction, this.#context);
    if (refused !== undefined) return refused;
    const next = this.accounts.nextNonce(sender, lane);
    if (nonce < next) {
      return new TransactionError('nonce_too_low', `another transaction took its nonce; the next is ${next}`);
    }
    if (nonce - next <= BigInt(Math.max(this.limits.maxTransactions, MAX_AHEAD))) return undefined;
    const message = `nonce ${nonce} of lane ${lane} is too far above the next, ${next}`;
    return new TransactionError('nonce_gap_too_large', message);
  }

  /** Remembers why a transaction from before a restart was not restored. */
  rememberRejection({ hashHex }: TransactionEnvelope, { reason, message }: TransactionError): void {
    if (reason !== 'already_known') this.removals.set(hashHex, { reason, message });
  }

  /**
   * Restores transactions from before a restart. They were admitted before, so neither gaps, which may have opened
   * since, nor other transactions keep them out. Of two with the same nonce the later one stays, because it replaced
   * the other. Afterwards, removes transactions that the accounts no longer allow, and those above the limits if
   * these are smaller now.
   * @param waiting transactions in order of arrival, with valid signatures
   * @returns the number of restored transactions
   * @throws RangeError if an arrival number is in use
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

  /** Like {@link precheck}, for a bundle. */
  precheckBundle(bundle: BundleEnvelope): TransactionError | undefined {
    const present = this.bundleBook.get(bundle.hashHex);
    const tooShort = present === undefined ? undefined : checkExtension(present, bundle, this.limits);
    if (tooShort !== undefined) return tooShort;
    return rejectionFor(this.bundleRejectionReason(bundle)) ?? checkBundle(bundle, this.#context);
  }

  /**
   * Admits a bundle, evicting other bundles if necessary, or returns why not. Its transactions may also be pooled
   * standalone or in other bundles. A pooled bundle may be submitted again with a later last height; see {@link
   * extensionStep}.
   * @param bundle a bundle with valid signatures
   * @param reception arrival of the bundle's first transaction; the others take the following arrival numbers
   * @throws RangeError if one of these numbers is in use
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
    const why = 'its bundle was evicted for one that pays more';
    for (const other of leaving) this.bundleBook.drop(other, 'evicted', why);
    this.#putBundle(waiting, standing);
    return { admitted: true, extended: false };
  }

  /** Sets the default last height on a bundle that has none: `bundleBlocks` blocks from now. */
  withMaxHeight<T extends TransactionEnvelope>(bundle: BundleEnvelope<T>): BundleEnvelope<T> {
    if (bundle.maxHeight !== undefined) return bundle;
    return { ...bundle, maxHeight: this.#context.head.height + BigInt(this.limits.bundleBlocks) - 1n };
  }

  /**
   * Like {@link restore}, for bundles; call it afterwards. A bundle whose senders lack balance keeps waiting for it.
   * @param waiting bundles in order of arrival, each with the arrival of its first transaction
   */
  restoreBundles(
    waiting: readonly { readonly bundle: VerifiedBundle; readonly reception: Reception }[],
  ): number {
    const before = this.bundleBook.size;
    for (const { bundle, reception } of waiting) {
      if (this.bundleBook.get(bundle.hashHex) !== undefined) continue;
      if (checkPermanentRules(bundle, this.#context) !== undefined) continue;
      const restored = this.#newBundle(bundle, reception);
      const followed = reevaluateBundle(bundle.transactions, restored.lanes, this.accounts);
      if (followed instanceof TransactionError) continue;
      this.#putBundle(restored, followed ?? 'waiting');
    }
    for (const one of this.bundleBook.excess(this.lanes)) {
      this.bundleBook.drop(one, 'evicted', 'its bundle no longer fits into the pool');
    }
    return this.bundleBook.size - before;
  }

  /**
   * Starts drawing a block's transactions; they stay pooled until {@link applyBlock}. Removes transactions that are
   * expired at the height after the tip, even if the block is on a branch.
   */
  draw(space: BlockSpace): BlockDraw {
    this.#setPrices(space);
    this.#dropExpired(space.branch === undefined ? space.height : this.#context.head.height);
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

  /** Ends the draw of a sealed block: what it passed over for its gas limit comes first in the next one. */
  endDraw(draw: BlockDraw, { gasUsed }: { readonly gasUsed: bigint }): void {
    this.#first.afterBlock(draw.passedOver, draw.hasFirst && gasUsed * 2n > draw.gasLimit);
  }

  /** Removes the envelopes of a draw whose opening heights are full at the tip. */
  dropWithoutRoom(draw: BlockDraw): void {
    for (const { transaction } of [...draw.withoutRoom]) {
      const refused = checkRoom(transaction, this.#context.head, this.reservedAt);
      if (refused !== undefined) this.drop(transaction.hashHex, 'pool_full', refused.message);
    }
  }

  /** Applies a new tip: removes transactions that were included or no longer can be. */
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
    this.#context = { ...this.#context, head: block.head };
    this.#setPrices(block.head);
    this.#dropExpired(block.head.height);
  }

  /** Removes a transaction that cannot be included; false if it is not pooled. */
  drop(hashHex: TransactionHashHex, reason: RemovalReason, message: string): boolean {
    const entry = this.lanes.get(hashHex);
    if (entry === undefined) return false;
    this.lanes.drop(entry, reason, message);
    return true;
  }

  /** Removes a bundle that cannot be included; false if it is not pooled. */
  dropBundle(hashHex: BundleHashHex, reason: RemovalReason, message: string): boolean {
    const waiting = this.bundleBook.get(hashHex);
    if (waiting === undefined) return false;
    this.bundleBook.drop(waiting, reason, message);
    return true;
  }

  dropBundlesWith(hashHex: TransactionHashHex, reason: RemovalReason, message: string): void {
    const members = [...this.bundleBook.membersWithHash(hashHex)];
    for (const { waiting } of members) this.bundleBook.drop(waiting, reason, message);
  }

  /** Makes a bundle that could not be included wait until one of its senders' accounts changes. */
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

  /** Checks all but gaps and room. A bundled transaction may come alone too: others may have bundled it. */
  #examine(transaction: TransactionEnvelope): TransactionError | undefined {
    if (this.lanes.get(transaction.hashHex) !== undefined) {
      return new TransactionError('already_known', 'the transaction is in the pool already');
    }
    return (
      rejectionFor(this.rejectionReason(transaction.hashHex)) ??
      checkTransaction(transaction, this.#context) ??
      checkAccount(transaction, this.lanes.sender(transaction.sender), this.#context)
    );
  }

  /** Checks whether an envelope's height has room for it beside those in the pool that precede it. */
  #checkRoom(transaction: TransactionEnvelope): TransactionError | undefined {
    return checkRoom(transaction, this.#context.head, this.reservedAt, (free) =>
      this.lanes.slotsLeftFor(transaction, free),
    );
  }

  #setPrices(next: Prices): void {
    const { baseFee, slotPrice } = this.prices;
    if (next.baseFee === baseFee && next.slotPrice === slotPrice) return;
    this.prices = pricesOf(next);
    this.lanes.setPrices(this.prices);
    if (next.baseFee !== baseFee) this.bundleBook.setBaseFee(next.baseFee);
  }

  /** Removes transactions that have waited behind a gap for too long; every block does this too. */
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

function rejectionFor(reason: string | undefined): TransactionError | undefined {
  return reason === undefined ? undefined : new TransactionError('already_known', reason);
}
