import { MAX_BODY_BYTES } from '../../ledger/constants.js';
import { GAS } from '../../ledger/gas.js';
import type { AddressHex, CandidateHashHex } from '../../ledger/hex-types.js';
import { needsEngine, type VerifiedTransaction } from '../../ledger/transaction-envelope.js';
import type { AccountView } from '../account-view.js';
import { BlockFill, ITEM_OVERHEAD_BYTES } from '../block-fill.js';
import { BundleDraw, type DrawnBundle } from '../bundles/bundle-draw.js';
import type { WaitingBundle } from '../bundles/waiting-bundle.js';
import type { Heads, HeadWalk } from '../lanes/heads.js';
import type { Heap } from '../lanes/heap.js';
import type { Entry, Lane, Sender } from '../lanes/sender-lanes.js';
import type { BlockSpace } from '../pool-types.js';
import { bundlesReadyAfter, lanesAfter } from './drawn-lanes.js';

/** What a block is drawn from. */
export interface DrawSources {
  readonly heads: Heads;
  /** The ready bundles, by their price at the block's base fee, the highest first, and then by arrival. */
  readonly bundles: Heap<WaitingBundle>;
  /** A sender's lane; undefined where it has nothing waiting on its own. */
  readonly laneOf: (sender: AddressHex, lane: number) => Lane | undefined;
  /** The transactions that go before all others if their nonces are next, in their order. */
  readonly first: readonly Entry[];
  /** What has waiting transactions of an account; only asked where the block is on a branch. */
  readonly senderOf: (address: AddressHex) => Sender | undefined;
  /** The bundles of an account, ready or not; only asked where the block is on a branch. */
  readonly bundlesOf: (address: AddressHex, accounts: AccountView) => Iterable<WaitingBundle>;
  /** Whether a bundle is in the pool still: waves are drawn with time between them. */
  readonly isHere: (waiting: WaitingBundle) => boolean;
}

/** What was drawn for a block, in its order. */
export interface Selection {
  readonly transactions: readonly VerifiedTransaction[];
  readonly bundles: readonly DrawnBundle[];
}

/** What a block has left. */
export interface DrawRoom {
  readonly gasLeft: bigint;
  /** What its bundles took of its gas. */
  readonly bundleGas: bigint;
  /** What the next wave may be expected to use; all that is left, if absent. */
  readonly expectedGas?: bigint;
}

/** One that was drawn and is not in the block. */
export interface NotIncluded {
  /** Its place in the wave. */
  readonly place: number;
  /** Whether that is because its gas limit is more than what those before it left. */
  readonly isTooLarge: boolean;
}

/**
 * Bundles may have this part of a block's gas: one that fails pays nothing for the time that trying it took, so what
 * failing bundles can keep from others has to have an end.
 */
const BUNDLE_SHARE = 2n;
/** So many of about the same gas limit that turn out to be just too large: what is behind them waits for the next block. */
const MAX_TOO_LARGE = 64;

/**
 * Draws a block's transactions, in waves: as many at a time as are expected to fill it. Once they were executed it is known
 * what is left, and more can be drawn.
 *
 * 1. The ready heads by tip, the higher first, ties by arrival; behind each drawn one the next of its lane; bundles among
 *    them, each in its place.
 * 2. Drawn is what fits: its gas limit is at most what is expected to be left. Expected is what it uses, not its limit.
 * 3. What does not fit is passed over, and with it the rest of its lane. Those whose turn it was but for their gas limit
 *    are told with {@link BlockDraw.passedOver}.
 * 4. On a branch, what its blocks include is out, and so is what may not be so high; lanes and bundles count as after them.
 *
 * Nothing of the pool is changed, and only as much of it is visited as is drawn: k transactions cost O(k log k).
 * Guarded by `bench/mempool.bench.ts`.
 */
export class BlockDraw {
  readonly #sources: DrawSources;
  readonly #space: BlockSpace;
  /** The position in each lane from which on the next wave draws. */
  readonly #positions = new Map<Lane, number>();
  /** Lanes that begin where the branch leaves them, as long as nothing of them was drawn (rule 4). */
  readonly #afterBranch = new Set<Lane>();
  /** Lanes with one that is not in the block: those behind it cannot be. */
  readonly #closed = new Set<Lane>();
  readonly #bundles = new Set<WaitingBundle>();
  /** The bundles that wait as of the tip and are ready after the branch; looked for once, as many may wait. */
  #readyAfterBranch: readonly WaitingBundle[] | undefined;
  readonly #passedOver = new Set<Entry>();
  #wave: readonly (Entry | WaitingBundle)[] = [];
  #bytesLeft: number;
  #placesLeft: number;
  #gasExpected = 0n;
  #bundleGasReserved = 0n;
  /** Whether the last wave would have been longer with more gas. */
  #wantsGas = false;
  /** Whether it ended before the block's gas did: there was to be no more at a time. */
  #isCut = false;
  #isFirst = true;
  #hasFirst = false;

  constructor(sources: DrawSources, space: BlockSpace) {
    this.#sources = sources;
    this.#space = space;
    this.#bytesLeft = space.maxBytes ?? MAX_BODY_BYTES;
    this.#placesLeft = space.maxTransactions ?? Number.POSITIVE_INFINITY;
    if (space.branch === undefined) return;
    for (const { lane, position } of lanesAfter(space.branch, sources.senderOf)) {
      this.#positions.set(lane, position);
      this.#afterBranch.add(lane);
    }
  }

  /** Those that did not get into the block for their gas limit alone when it was their turn, in that order. */
  get passedOver(): Iterable<Entry> {
    return this.#passedOver;
  }

  /** Whether some were drawn because they come first. */
  get hasFirst(): boolean {
    return this.#hasFirst;
  }

  /** What the whole block has. */
  get gasLimit(): bigint {
    return this.#space.gasLimit;
  }

  /** Draws the next wave. */
  next({ gasLeft, bundleGas, expectedGas }: DrawRoom): Selection {
    const { heads, bundles, laneOf, first } = this.#sources;
    const { baseFee } = this.#space;
    const fill = new BlockFill({
      gas: gasLeft,
      bytes: this.#bytesLeft,
      places: this.#placesLeft,
      ...(expectedGas === undefined ? {} : { expectedGas }),
    });
    const wave: (Entry | WaitingBundle)[] = [];
    if (this.#isFirst) {
      for (const entry of first.filter((one) => this.#startOf(one.lane) === one)) {
        const isOpen = !this.#isExpired(entry) && !this.#isHeldBack(entry.transaction.hashHex);
        if (isOpen && entry.tip(baseFee) >= 0n && !fill.full) this.#take(entry, fill, wave);
      }
      this.#hasFirst = wave.length > 0;
    }
    const walk = heads.walk((lane) =>
      this.#positions.has(lane) || this.#closed.has(lane) ? undefined : this.#unlessExpired(lane.head),
    );
    for (const [lane, position] of this.#positions) {
      const entry = this.#closed.has(lane) ? undefined : this.#unlessExpired(lane.at(position));
      if (entry !== undefined) walk.add(entry, entry.tip(baseFee));
    }
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

  /**
   * Tells what of the last wave is not in the block, and what the block has left.
   * @returns whether another wave could find something
   */
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
        // Only the first of them: those behind it come after it by price as well.
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

  #drawHeads(
    walk: HeadWalk,
    fill: BlockFill,
    wave: (Entry | WaitingBundle)[],
    bundleDraw: BundleDraw | undefined,
  ): void {
    const { baseFee } = this.#space;
    const tooLarge = new Map<number, number>();
    while (!fill.full) {
      const step = walk.next(fill.gasLeft);
      // Tips come in falling order: after the first that cannot pay the base fee, none can.
      if (step === undefined || step.key < 0n) break;
      const entry = step.value;
      bundleDraw?.drawBefore({ price: step.key, arrival: entry.arrival });
      if (this.#isHeldBack(entry.transaction.hashHex)) continue;
      const misfit = this.#take(entry, fill, wave);
      if (misfit === undefined) {
        const next = this.#unlessExpired(entry.lane.after(entry));
        if (next !== undefined) walk.add(next, next.tip(baseFee));
      } else if (misfit === 'gas') {
        this.#wantsGas = true;
        const count = (tooLarge.get(entry.gasSize) ?? 0) + 1;
        tooLarge.set(entry.gasSize, count);
        if (count >= MAX_TOO_LARGE) walk.close(entry.gasSize);
      }
    }
  }

  /** Draws an entry, if it fits. */
  #take(entry: Entry, fill: BlockFill, wave: (Entry | WaitingBundle)[]): 'gas' | 'size' | undefined {
    const { transaction, lane } = entry;
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

  /** Whether the accounts allow a bundle where the block is (rule 4). */
  #isAllowed(waiting: WaitingBundle): boolean {
    const { branch } = this.#space;
    if (branch === undefined) return true;
    for (const sender of waiting.senders) {
      if (branch.changed.has(sender)) return waiting.isAllowedBy(branch.accounts);
    }
    return true;
  }

  /** Those that only the branch makes ready, as far as they are still to be drawn. */
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

  /** An entry, as long as it may be in a block so high: its lane ends before one that may not. */
  #unlessExpired(entry: Entry | undefined): Entry | undefined {
    return entry === undefined || this.#isExpired(entry) ? undefined : entry;
  }

  /** Whether a branch is past the last height of something; what the tip is past has left the pool. */
  #isExpired(candidate: Entry | WaitingBundle): boolean {
    if (this.#space.branch === undefined) return false;
    const last = 'lane' in candidate ? candidate.validUntil : candidate.lastHeight;
    return last !== undefined && last < this.#space.height;
  }

  #isHeldBack(hashHex: CandidateHashHex): boolean {
    return this.#space.isHeldBack?.(hashHex) === true;
  }

  /** Whether a bundle is in no earlier wave, and may be in the block. */
  #isWanted(waiting: WaitingBundle): boolean {
    return !this.#bundles.has(waiting) && !this.#isExpired(waiting) && !this.#isBundleHeldBack(waiting);
  }

  /** One that is held back may not run inside a bundle either. */
  #isBundleHeldBack({ hashHex, members }: WaitingBundle): boolean {
    if (this.#space.isHeldBack === undefined) return false;
    return (
      this.#isHeldBack(hashHex) || members.some(({ transaction }) => this.#isHeldBack(transaction.hashHex))
    );
  }

  #expected(transaction: VerifiedTransaction): bigint {
    const { expectedGas } = this.#space;
    return expectedGas === undefined ? transaction.signed.transaction.gas_limit : expectedGas(transaction);
  }

  /**
   * Of a bundle. What its code uses is not paid for where it fails: what it may use then counts, as if it did use that.
   */
  #expectedOf(transactions: readonly VerifiedTransaction[]): bigint {
    let sum = 0n;
    for (const transaction of transactions) {
      const { signed } = transaction;
      sum += needsEngine(signed) ? signed.transaction.gas_limit : this.#expected(transaction);
    }
    return sum;
  }
}
