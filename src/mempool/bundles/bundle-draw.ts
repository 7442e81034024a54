import type { BundleSpan } from '../../execution/atomic-groups.js';
import type { BundleHashHex } from '../../ledger/hex-types.js';
import type { VerifiedTransaction } from '../../ledger/transaction-envelope.js';
import type { BlockFill } from '../block-fill.js';
import type { Heap } from '../lanes/heap.js';
import { HeapWalk } from '../lanes/heap-walk.js';
import type { WaitingBundle } from './waiting-bundle.js';

/** A bundle among the transactions that were drawn for a block. */
export interface DrawnBundle extends BundleSpan {
  readonly hashHex: BundleHashHex;
}

/** After so many that were passed over, no more bundles are looked at for the wave. */
const MAX_PASSED_OVER = 256;

/** What the bundles of a wave are drawn by. */
export interface BundleTerms {
  /** What bundles may still take of the block's gas. */
  readonly gasLeft: bigint;
  /** What a bundle's transactions are expected to use. */
  readonly expectedGas: (transactions: readonly VerifiedTransaction[]) => bigint;
  /** Whether a bundle is looked at at all. */
  readonly isWanted: (waiting: WaitingBundle) => boolean;
  /** Whether what was drawn before it leaves a bundle possible. */
  readonly isOpen: (waiting: WaitingBundle) => boolean;
  readonly onDrawn: (waiting: WaitingBundle) => void;
}

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
  readonly #terms: BundleTerms;
  #reserved = 0n;
  #passedOver = 0;
  #wantsGas = false;

  /** @param ready the bundles that the accounts allow, by price, the highest first, and then by arrival */
  constructor(ready: Heap<WaitingBundle>, fill: BlockFill, terms: BundleTerms) {
    this.#walk = new HeapWalk(ready, (waiting) => (terms.isWanted(waiting) ? waiting : undefined));
    this.#fill = fill;
    this.#terms = terms;
  }

  /** What those that were drawn are expected to use. */
  get reserved(): bigint {
    return this.#reserved;
  }

  /** Whether one was passed over for want of gas. */
  get wantsGas(): boolean {
    return this.#wantsGas;
  }

  /** Adds a bundle that the pool does not have among the ready ones. */
  add(waiting: WaitingBundle, price: bigint): void {
    this.#walk.add(waiting, price, waiting.arrival);
  }

  /** Draws the bundles that go before what has this price and arrival; all that are left where it is undefined. */
  drawBefore(next: { readonly price: bigint; readonly arrival: number } | undefined): void {
    while (!this.#fill.full && this.#passedOver < MAX_PASSED_OVER) {
      const step = this.#walk.peek();
      if (step === undefined || step.key < 0n) return;
      if (next !== undefined && step.key < next.price) return;
      if (next !== undefined && step.key === next.price && step.value.arrival > next.arrival) return;
      this.#walk.next();
      if (!this.#draw(step.value)) this.#passedOver++;
    }
  }

  #draw(waiting: WaitingBundle): boolean {
    if (!this.#terms.isOpen(waiting)) return false;
    const { gas: gasLimit, itemBytes: bytes, members, bundle, hashHex } = waiting;
    const expectedGas = this.#terms.expectedGas(bundle.transactions);
    const isShort = this.#reserved + expectedGas > this.#terms.gasLeft;
    const misfit = isShort
      ? 'gas'
      : this.#fill.reserve({ gasLimit, expectedGas, bytes, places: members.length });
    if (misfit !== undefined) {
      this.#wantsGas ||= misfit === 'gas';
      return false;
    }
    this.#reserved += expectedGas;
    const { transactions } = this.#fill;
    this.drawn.push({ start: transactions.length, length: members.length, hashHex });
    for (const { transaction } of members) transactions.push(transaction);
    this.#terms.onDrawn(waiting);
    return true;
  }
}
