import { MAX_BODY_BYTES } from '../../ledger/constants.js';
import { GAS } from '../../ledger/gas.js';
import type { AddressHex, CandidateHashHex } from '../../ledger/hex-types.js';
import { needsEngine, type VerifiedTransaction } from '../../ledger/transaction-envelope.js';
import { BlockFill, ITEM_OVERHEAD_BYTES, type Misfit } from '../block-fill.js';
import { BundleDraw, type DrawnBundle } from '../bundles/bundle-draw.js';
import type { WaitingBundle } from '../bundles/waiting-bundle.js';
import type { Heads, HeadWalk } from '../lanes/heads.js';
import type { Heap } from '../lanes/heap.js';
import type { Entry, Lane, Sender } from '../lanes/sender-lanes.js';
import type { AccountView, BlockSpace } from '../pool-types.js';
import { bundlesReadyAfter, lanesAfter } from './drawn-lanes.js';
import { SlotDraw } from './slot-draw.js';

export interface DrawSources {
  readonly heads: Heads;
  /** Ready bundles by descending price at the block's base fee, then by arrival. */
  readonly bundles: Heap<WaitingBundle>;
  /** A sender's lane; undefined if it has no standalone transactions. */
  readonly laneOf: (sender: AddressHex, lane: number) => Lane | undefined;
  /** Transactions that precede all others if their nonces are next, in order. */
  readonly first: readonly Entry[];
  /** An account's pooled transactions; called only for a block on a branch. */
  readonly senderOf: (address: AddressHex) => Sender | undefined;
  /** An account's bundles, ready or not; called only for a block on a branch. */
  readonly bundlesOf: (address: AddressHex, accounts: AccountView) => Iterable<WaitingBundle>;
  /** True if a bundle is still in the pool. Bundles may leave between waves. */
  readonly isHere: (waiting: WaitingBundle) => boolean;
}

/** What stands for each transaction of a wave. */
type Wave = (Entry | WaitingBundle)[];

/** Transactions drawn for a block, in order. */
export interface Selection {
  readonly transactions: readonly VerifiedTransaction[];
  readonly bundles: readonly DrawnBundle[];
}

export interface DrawRoom {
  /** Gas not used by the included transactions. */
  readonly gasLeft: bigint;
  /** Gas used by bundles, including what failed ones may have used. */
  readonly bundleGas: bigint;
  /** Expected gas of the next wave; default all that is left. */
  readonly expectedGas?: bigint;
}

export interface NotIncluded {
  readonly place: number;
  /** True if the gas limit exceeded the gas left by the preceding transactions. */
  readonly isTooLarge: boolean;
}

/** Bundles may take 1/2 of a block's gas: failing ones do not pay for the time that they cost others. */
const BUNDLE_SHARE = 2n;
/** Candidates of a size class that may turn out too large before its others wait for the next block. */
const MAX_TOO_LARGE = 64;

/**
 * Draws a block's transactions in waves, each as large as is expected to fill the block. After a wave has executed, the
 * remaining room is known, and more can be drawn.
 *
 * 1. Ready heads are drawn by descending tip, ties by arrival; each drawn transaction is followed by the next of its
 *    lane. Bundles take their places among them.
 * 2. A transaction fits if its gas limit is at most the expected remaining gas. The expectation counts the gas used,
 *    not the limit.
 * 3. A transaction that does not fit is skipped with the rest of its lane. {@link BlockDraw.passedOver} reports those
 *    that only their gas limit kept out.
 * 4. On a branch, transactions included in its blocks or expired at the new height are left out; lanes and bundles are
 *    judged by the accounts after the branch.
 *
 * 5. Envelopes compete for the block's opening slots and their heights' by descending tip per slot; see {@link
 *    SlotDraw}. Those that get slots take their places among the rest by tip.
 *
 * The pool is not changed, and only the drawn part of it is visited: k transactions cost O(k log k). Guarded by
 * `bench/mempool.bench.ts`.
 */
export class BlockDraw {
  readonly #sources: DrawSources;
  readonly #space: BlockSpace;
  /** Position in each lane at which the next wave starts. */
  readonly #positions = new Map<Lane, number>();
  /** Lanes that start after the branch's nonces and of which nothing is drawn yet (rule 4). */
  readonly #afterBranch = new Set<Lane>();
  /** Lanes with an excluded transaction: its successors cannot be included. */
  readonly #closed = new Set<Lane>();
  readonly #bundles = new Set<WaitingBundle>();
  /** Bundles that become ready only after the branch; computed once, because many may be waiting. */
  #readyAfterBranch: readonly WaitingBundle[] | undefined;
  readonly #passedOver = new Set<Entry>();
  readonly #slots: SlotDraw;
  /** Envelopes with slots that are not drawn yet. */
  #assigned: readonly Entry[] = [];
  #wave: Wave = [];
  #bytesLeft: number;
  #placesLeft: number;
  #gasExpected = 0n;
  #bundleGasReserved = 0n;
  /** True if more gas would have made the last wave longer. */
  #wantsGas = false;
  /** True if the last wave reached its expected gas before the block's gas was used up. */
  #isCut = false;
  #isFirst = true;
  #hasFirst = false;

  constructor(sources: DrawSources, space: BlockSpace) {
    this.#sources = sources;
    this.#space = space;
    this.#bytesLeft = space.maxBytes ?? MAX_BODY_BYTES;
    this.#placesLeft = space.maxTransactions ?? Number.POSITIVE_INFINITY;
    this.#slots = new SlotDraw(space);
    if (space.branch === undefined) return;
    for (const { lane, position } of lanesAfter(space.branch, sources.senderOf)) {
      this.#positions.set(lane, position);
      this.#afterBranch.add(lane);
    }
  }

  /** Transactions that only their gas limit kept out of the block, in order. */
  get passedOver(): Iterable<Entry> {
    return this.#passedOver;
  }

  /** Envelopes whose opening heights are full on the block's branch. */
  get withoutRoom(): Iterable<Entry> {
    return this.#slots.withoutRoom;
  }

  /** True if transactions of {@link DrawSources.first} were drawn. */
  get hasFirst(): boolean {
    return this.#hasFirst;
  }

  get gasLimit(): bigint {
    return this.#space.gasLimit;
  }

  next({ gasLeft, bundleGas, expectedGas }: DrawRoom): Selection {
    const { heads, bundles, laneOf, first } = this.#sources;
    const { baseFee } = this.#space;
    if (this.#isFirst) this.#assignSlots();
    const fill = new BlockFill({
      gas: gasLeft,
      bytes: this.#bytesLeft,
      places: this.#placesLeft,
      ...(expectedGas === undefined ? {} : { expectedGas }),
    });
    const wave: Wave = [];
    if (this.#isFirst) {
      for (const entry of first.filter((one) => this.#startOf(one.lane) === one)) {
        const isOpen = !this.#isExpired(entry) && !this.#isHeldBack(entry.transaction.hashHex);
        if (isOpen && entry.tip(this.#space) >= 0n && !fill.full) this.#take(entry, fill, wave);
      }
      this.#hasFirst = wave.length > 0;
    }
    const walk = heads.walk((lane) =>
      this.#positions.has(lane) || this.#closed.has(lane) ? undefined : this.#unlessExpired(lane.head),
    );
    for (const [lane, position] of this.#positions) {
      const entry = this.#closed.has(lane) ? undefined : this.#unlessExpired(lane.at(position));
      if (entry !== undefined) walk.add(entry, entry.tip(this.#space));
    }
    this.#addAssigned(walk);
    const madeReady = this.#bundlesReadyAfterBranch();
    const bundleDraw =
      bundles.size === 0 && madeReady.length === 0
        ? undefined
        : new BundleDraw(bundles, fill, {
            gasLeft: this.#space.gasLimit / BUNDLE_SHARE - bundleGas,
            expectedGas: (transactions) => this.#expectedOf(transactions),
            isWanted: (waiting) => this.#isWanted(waiting) && this.#isAllowed(waiting),
            isOpen: (waiting) =>
              waiting.lanes.every(({ sender, lane: id }) => {
                const lane = laneOf(sender, id);
                if (lane === undefined || this.#afterBranch.has(lane)) return true;
                return !(this.#positions.has(lane) || this.#closed.has(lane));
              }),
            onDrawn: (waiting) => {
              this.#bundles.add(waiting);
              for (const _ of waiting.members) wave.push(waiting);
            },
          });
    for (const waiting of madeReady) bundleDraw?.add(waiting, waiting.price(baseFee));
    this.#drawHeads(walk, fill, wave, bundleDraw);
    bundleDraw?.drawBefore(undefined);
    for (const entry of walk.tooLarge) this.#passedOver.add(entry);
    this.#wantsGas ||= walk.tooLarge.length > 0 || fill.isOutOfGas || bundleDraw?.wantsGas === true;
    this.#isCut = fill.isOutOfGas && fill.gasLeft >= GAS.tx_base;
    this.#wave = wave;
    this.#isFirst = false;
    this.#bytesLeft = fill.bytesLeft;
    this.#placesLeft = fill.placesLeft;
    this.#gasExpected = fill.gasLeft;
    this.#bundleGasReserved = bundleGas + (bundleDraw?.reserved ?? 0n);
    return { transactions: fill.transactions, bundles: bundleDraw?.drawn ?? [] };
  }

  /** Takes back what the block left out of the last wave. @returns whether another wave could find more */
  settle(notIncluded: Iterable<NotIncluded>, { gasLeft, bundleGas }: DrawRoom): boolean {
    let missing = 0;
    let anyTooLarge = false;
    for (const { place, isTooLarge } of notIncluded) {
      const drawn = this.#wave[place];
      if (drawn === undefined) continue;
      missing++;
      this.#placesLeft++;
      if ('lane' in drawn) {
        this.#bytesLeft += drawn.bytes + ITEM_OVERHEAD_BYTES;
        this.#closed.add(drawn.lane);
        this.#slots.release(drawn);
        // Records only the first one, because the later ones also follow it by price.
        if (isTooLarge && !anyTooLarge) this.#passedOver.add(drawn);
      } else {
        this.#bytesLeft += drawn.itemBytes / drawn.members.length;
      }
      anyTooLarge ||= isTooLarge;
    }
    const wantsGas = this.#wantsGas;
    this.#wantsGas = false;
    if (missing === this.#wave.length || gasLeft < GAS.tx_base) return false;
    const isMore = this.#isCut || gasLeft > this.#gasExpected || bundleGas < this.#bundleGasReserved;
    return anyTooLarge || (wantsGas && isMore);
  }

  #drawHeads(walk: HeadWalk, fill: BlockFill, wave: Wave, bundleDraw: BundleDraw | undefined): void {
    const tooLarge = new Map<number, number>();
    while (!fill.full) {
      const step = walk.next(fill.gasLeft);
      // Tips descend: after the first that cannot pay the base fee, none can.
      if (step === undefined || step.key < 0n) break;
      const entry = step.value;
      bundleDraw?.drawBefore({ price: step.key, arrival: entry.arrival });
      if (this.#isHeldBack(entry.transaction.hashHex)) continue;
      const misfit = this.#take(entry, fill, wave);
      if (misfit === undefined) {
        const next = this.#unlessExpired(entry.lane.after(entry));
        if (next !== undefined) walk.add(next, next.tip(this.#space));
      } else if (misfit === 'gas') {
        this.#wantsGas = true;
        const count = (tooLarge.get(entry.gasSize) ?? 0) + 1;
        tooLarge.set(entry.gasSize, count);
        if (count >= MAX_TOO_LARGE) walk.close(entry.gasSize);
      }
    }
  }

  /** Assigns the block's opening slots among the envelopes that the block may start its lanes with. */
  #assignSlots(): void {
    const { heads } = this.#sources;
    const isOpen = (entry: Entry | undefined): entry is Entry =>
      entry !== undefined &&
      entry.offer.slots > 0 &&
      !this.#isExpired(entry) &&
      !this.#isHeldBack(entry.transaction.hashHex);
    const unlessClosed = (entry: Entry | undefined) => (isOpen(entry) ? entry : undefined);
    const walk = heads.walkSealed((lane) =>
      this.#positions.has(lane) ? undefined : unlessClosed(lane.head),
    );
    for (const [lane, position] of this.#positions) {
      const entry = unlessClosed(lane.at(position));
      if (entry !== undefined) walk.add(entry, entry.slotRank(this.#space));
    }
    this.#assigned = this.#slots.assign(walk, this.#space, (entry) => unlessClosed(entry.lane.after(entry)));
  }

  /** Adds the envelopes with slots that start their lanes; the others follow once their predecessors are drawn. */
  #addAssigned(walk: HeadWalk): void {
    for (const entry of this.#assigned) {
      const { lane } = entry;
      if (this.#positions.has(lane) || this.#closed.has(lane) || lane.head !== entry) continue;
      walk.add(entry, entry.tip(this.#space));
    }
  }

  #take(entry: Entry, fill: BlockFill, wave: Wave): Misfit | 'slots' | undefined {
    const { transaction, lane } = entry;
    if (entry.offer.slots > 0 && !this.#slots.take(entry)) return 'slots';
    const misfit = fill.reserve({
      gasLimit: transaction.signed.transaction.gas_limit,
      expectedGas: this.#expected(transaction),
      bytes: entry.bytes + ITEM_OVERHEAD_BYTES,
      places: 1,
    });
    if (misfit === 'gas') this.#passedOver.add(entry);
    if (misfit !== undefined) return misfit;
    this.#passedOver.delete(entry);
    fill.transactions.push(transaction);
    wave.push(entry);
    this.#positions.set(lane, entry.position + 1);
    this.#afterBranch.delete(lane);
    return undefined;
  }

  /** True if the accounts on the block's branch allow a bundle (rule 4). */
  #isAllowed(waiting: WaitingBundle): boolean {
    const { branch } = this.#space;
    if (branch === undefined) return true;
    for (const sender of waiting.senders) {
      if (branch.changed.has(sender)) return waiting.isAllowedBy(branch.accounts);
    }
    return true;
  }

  /** Bundles that only the branch makes ready and that are not drawn yet. */
  #bundlesReadyAfterBranch(): readonly WaitingBundle[] {
    const { branch } = this.#space;
    if (branch === undefined) return [];
    const { bundlesOf, isHere } = this.#sources;
    this.#readyAfterBranch ??= bundlesReadyAfter(branch, bundlesOf);
    return this.#readyAfterBranch.filter(
      (waiting) => waiting.status !== 'ready' && isHere(waiting) && this.#isWanted(waiting),
    );
  }

  /** The first transaction of a lane that the block can include. */
  #startOf(lane: Lane): Entry | undefined {
    const position = this.#positions.get(lane);
    return position === undefined ? lane.head : lane.at(position);
  }

  /** Undefined for an entry that is expired at the block's height; it ends its lane. */
  #unlessExpired(entry: Entry | undefined): Entry | undefined {
    return entry === undefined || this.#isExpired(entry) ? undefined : entry;
  }

  /** True if the last height has passed on the branch; expiry at the tip is handled by the pool. */
  #isExpired(candidate: Entry | WaitingBundle): boolean {
    if (this.#space.branch === undefined) return false;
    const last = 'lane' in candidate ? candidate.validUntil : candidate.lastHeight;
    return last !== undefined && last < this.#space.height;
  }

  #isHeldBack(hashHex: CandidateHashHex): boolean {
    return this.#space.isHeldBack?.(hashHex) === true;
  }

  /** True if a bundle is in no earlier wave and may be in the block. */
  #isWanted(waiting: WaitingBundle): boolean {
    return !this.#bundles.has(waiting) && !this.#isExpired(waiting) && !this.#isBundleHeldBack(waiting);
  }

  /** A held-back transaction must not run inside a bundle either. */
  #isBundleHeldBack({ hashHex, members }: WaitingBundle): boolean {
    if (this.#space.isHeldBack === undefined) return false;
    return this.#isHeldBack(hashHex) || members.some((one) => this.#isHeldBack(one.transaction.hashHex));
  }

  #expected(transaction: VerifiedTransaction): bigint {
    const { expectedGas } = this.#space;
    return expectedGas === undefined ? transaction.signed.transaction.gas_limit : expectedGas(transaction);
  }

  /** Of a bundle: members that run code count at their gas limit, because a failing bundle pays nothing. */
  #expectedOf(transactions: readonly VerifiedTransaction[]): bigint {
    let sum = 0n;
    for (const transaction of transactions) {
      const { signed } = transaction;
      sum += needsEngine(signed) ? signed.transaction.gas_limit : this.#expected(transaction);
    }
    return sum;
  }
}
