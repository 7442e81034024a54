import type { Entry } from '../lanes/sender-lanes.js';

/** Maximum number of remembered transactions; others wait for their turn by price. */
const MAX_REMEMBERED = 1_024;

/**
 * Transactions that only their gas limit kept out of a block, in the order they were skipped. They come first in the
 * next block, when more gas is left; otherwise a transaction with a high limit might never find a block with room. If
 * they take most of a block, the following one is drawn by price alone.
 */
export class FirstInLine {
  readonly #entries = new Set<Entry>();
  #isSkippingBlock = false;

  /** What comes first in the next block if its nonces are next. @param isHere whether one is pooled */
  take(isHere: (entry: Entry) => boolean): Entry[] {
    const first: Entry[] = [];
    for (const entry of this.#entries) {
      if (!isHere(entry)) this.#entries.delete(entry);
      else if (!this.#isSkippingBlock) first.push(entry);
    }
    return first;
  }

  /**
   * Called after a block is sealed.
   * @param passedOver transactions that the block passed over, in order
   * @param isCrowded whether more than half of the block's gas was used, some of it by transactions that came first
   */
  afterBlock(passedOver: Iterable<Entry>, isCrowded: boolean): void {
    this.#isSkippingBlock = isCrowded;
    for (const entry of passedOver) {
      if (this.#entries.size >= MAX_REMEMBERED) return;
      this.#entries.add(entry);
    }
  }
}
