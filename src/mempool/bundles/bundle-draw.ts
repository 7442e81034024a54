import type { BundleSpan } from '../../execution/atomic-groups.js';
import type { BundleHashHex } from '../../ledger/hex-types.js';
import type { VerifiedTransaction } from '../../ledger/transaction-envelope.js';
import type { BlockFill } from '../block-fill.js';
import type { Heap } from '../lanes/heap.js';
import { HeapWalk } from '../lanes/heap-walk.js';
import type { WaitingBundle } from './waiting-bundle.js';

/** A bundle among the transactions drawn for a block. */
export interface DrawnBundle extends BundleSpan {
  readonly hashHex: BundleHashHex;
}

/** Number of skipped bundles after which the wave stops looking for more. */
const MAX_PASSED_OVER = 256;

export interface BundleTerms {
  /** Gas of the block that bundles may still take. */
  readonly gasLeft: bigint;
  readonly expectedGas: (transactions: readonly VerifiedTransaction[]) => bigint;
  readonly isWanted: (waiting: WaitingBundle) => boolean;
  /** True if the transactions drawn so far do not rule the bundle out. */
  readonly isOpen: (waiting: WaitingBundle) => boolean;
  readonly onDrawn: (waiting: WaitingBundle) => void;
}

/**
 * Draws the bundles of a block, each at its place by price among the standalone transactions. A bundle is judged by
 * the accounts before the block, so once a standalone transaction of a lane is drawn, bundles that use the lane stay
 * out of this block. The reverse does not hold: standalone transactions and other bundles with the same nonces are
 * drawn after a bundle, and the block includes the first that succeeds. Anyone can build a bundle from transactions
 * signed by others, so a failing bundle must not keep their transactions out of the block.
 */
export class BundleDraw {
  readonly drawn: DrawnBundle[] = [];
  readonly #walk: HeapWalk<WaitingBundle, WaitingBundle>;
  readonly #fill: BlockFill;
  readonly #terms: BundleTerms;
  #reserved = 0n;
  #passedOver = 0;
  #wantsGas = false;

  /** @param ready bundles that the accounts allow, by descending price, then by arrival */
  constructor(ready: Heap<WaitingBundle>, fill: BlockFill, terms: BundleTerms) {
    this.#walk = new HeapWalk(ready, (waiting) => (terms.isWanted(waiting) ? waiting : undefined));
    this.#fill = fill;
    this.#terms = terms;
  }

  get reserved(): bigint {
    return this.#reserved;
  }

  /** True if a bundle was skipped for lack of gas. */
  get wantsGas(): boolean {
    return this.#wantsGas;
  }

  /** Adds a bundle that is not in the pool's ready heap. */
  add(waiting: WaitingBundle, price: bigint): void {
    this.#walk.add(waiting, price, waiting.arrival);
  }

  /** Draws the bundles that precede this price and arrival; all remaining ones if undefined. */
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
    const share = { gasLimit, expectedGas, bytes, places: members.length };
    const isShort = this.#reserved + expectedGas > this.#terms.gasLeft;
    const misfit = isShort ? 'gas' : this.#fill.reserve(share);
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
