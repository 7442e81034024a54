import type { BundleSpan } from '../execution/block-units.js';
import type { BlockFill } from './block-fill.js';
import type { Heap } from './heap.js';
import { HeapWalk } from './heap-walk.js';
import type { Lane } from './lane.js';
import type { WaitingBundle } from './waiting-bundle.js';

/** A bundle among the transactions that were drawn for a block. */
export interface DrawnBundle extends BundleSpan {
  readonly hashHex: string;
}

/**
 * Bundles may have this part of a block's gas: one that fails pays nothing for the time that trying it took, so what
 * failing bundles can keep from others has to have an end.
 */
const GAS_SHARE = 2n;

/** After so many that were passed over, no more bundles are looked at for the block. */
const MAX_PASSED_OVER = 256;

/**
 * Draws the bundles of a block, each in its place among the transactions on their own. A bundle goes by the accounts as
 * they are before the block: where something of a lane is drawn already, bundles that use the lane stay out of this
 * block. Not so the other way round: what waits on its own is drawn behind a bundle with the same nonces, and so are other
 * bundles with them, and the block has the first that can be included. Anybody may make a bundle of what others have
 * signed, so one that fails must keep nobody else's transaction out of the block.
 */
export class BundleDraw {
  readonly drawn: DrawnBundle[] = [];
  readonly #walk: HeapWalk<WaitingBundle, WaitingBundle>;
  readonly #fill: BlockFill;
  readonly #laneOf: (sender: string, lane: number) => Lane | undefined;
  readonly #isHeldBack: (hashHex: string) => boolean;
  /** Lanes of transactions on their own that are drawn. */
  readonly #drawnLanes = new Set<Lane>();
  #gasLeft: bigint;
  #passedOver = 0;

  /**
   * @param ready the bundles that the accounts allow, by price, the highest first, and then by arrival
   * @param laneOf the lane's transactions on their own; undefined where it has none
   */
  constructor(
    ready: Heap<WaitingBundle>,
    fill: BlockFill,
    laneOf: (sender: string, lane: number) => Lane | undefined,
    isHeldBack: (hashHex: string) => boolean = () => false,
  ) {
    this.#isHeldBack = isHeldBack;
    this.#walk = new HeapWalk(ready, (waiting) => waiting);
    this.#fill = fill;
    this.#laneOf = laneOf;
    this.#gasLeft = fill.gasLeft / GAS_SHARE;
  }

  /** Draws the bundles that go before what has this price and arrival; all that are left where it is undefined. */
  drawBefore(next: { readonly price: bigint; readonly arrival: number } | undefined): void {
    while (!this.#fill.full && this.#passedOver < MAX_PASSED_OVER) {
      const step = this.#walk.peek();
      if (step === undefined || step.key < 0n) return;
      if (next !== undefined && step.key < next.price) return;
      if (next !== undefined && step.key === next.price && step.value.arrival > next.arrival) return;
      this.#walk.next();
      if (this.#isHeldBack(step.value.hashHex)) continue;
      if (!this.#draw(step.value)) this.#passedOver++;
    }
  }

  /** Notes that a transaction on its own is drawn from the lane. */
  note(lane: Lane): void {
    this.#drawnLanes.add(lane);
  }

  #draw({ lanes, gas, itemBytes, members, hashHex }: WaitingBundle): boolean {
    for (const { sender, lane } of lanes) {
      const alone = this.#laneOf(sender, lane);
      if (alone !== undefined && this.#drawnLanes.has(alone)) return false;
    }
    if (gas > this.#gasLeft || !this.#fill.reserve(gas, itemBytes, members.length)) return false;
    this.#gasLeft -= gas;
    const { transactions } = this.#fill;
    this.drawn.push({ start: transactions.length, length: members.length, hashHex });
    for (const { transaction } of members) transactions.push(transaction);
    return true;
  }
}
