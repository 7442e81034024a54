import type { Entry } from '../lanes/sender-lanes.js';

/** More are not remembered: they are drawn when it is their turn again. */
const MAX_REMEMBERED = 1_024;

/**
 * Transactions that were not in a block for their gas limit alone, though it was their turn, in the order in which that came
 * about. They come first in the next block, where more of the gas is left: otherwise one with a high limit might never find
 * a block that has room for it. Where what comes first takes most of a block, the block after it is drawn by price alone.
 */
export class FirstInLine {
  readonly #entries = new Set<Entry>();
  #isSkippingBlock = false;

  /**
   * The transactions that come first in the next block, if their nonces are next in it.
   * @param isHere whether a transaction still waits
   */
  take(isHere: (entry: Entry) => boolean): Entry[] {
    const first: Entry[] = [];
    for (const entry of this.#entries) {
      if (!isHere(entry)) this.#entries.delete(entry);
      else if (!this.#isSkippingBlock) first.push(entry);
    }
    return first;
  }

  /**
   * Follows a block that was sealed.
   * @param passedOver of it, in their order
   * @param isFair whether more than half of its gas was used, and some of it by what came first
   */
  afterBlock(passedOver: Iterable<Entry>, isCrowded: boolean): void {
    this.#isSkippingBlock = isCrowded;
    for (const entry of passedOver) {
      if (this.#entries.size >= MAX_REMEMBERED) return;
      this.#entries.add(entry);
    }
  }
}
