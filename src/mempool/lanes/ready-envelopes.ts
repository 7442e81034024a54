import type { Prices } from '../prices.js';
import { Heap } from './heap.js';
import { HeapWalk, isBefore, type Step } from './heap-walk.js';
import { type Entry, rankOf } from './sender-lanes.js';

/**
 * The ready envelopes of the pool by opening height, for admission. Each ranks by its worth per slot, so that one behind
 * a transaction that pays less does not count for more.
 */
export class ReadyEnvelopes {
  /** The envelopes of each height by number of slots. */
  readonly #byHeight = new Map<bigint, Map<number, Heap<Entry>>>();

  /** Adds an entry if it is an envelope, or updates its rank. */
  add(entry: Entry, prices: Prices): void {
    const { envelopeNode: node, offer, arrival } = entry;
    if (node === undefined) return;
    const { opensAt = 0n } = entry;
    const bySlots = this.#byHeight.get(opensAt) ?? new Map<number, Heap<Entry>>();
    this.#byHeight.set(opensAt, bySlots);
    const heap = bySlots.get(offer.slots) ?? new Heap<Entry>('highest');
    bySlots.set(offer.slots, heap);
    heap.put(node, worthRank(entry, prices), arrival);
  }

  remove(entry: Entry): void {
    const { envelopeNode: node, offer } = entry;
    if (node === undefined) return;
    const { opensAt = 0n } = entry;
    const bySlots = this.#byHeight.get(opensAt);
    const heap = bySlots?.get(offer.slots);
    if (bySlots === undefined || heap === undefined) return;
    heap.remove(node);
    if (heap.size > 0) return;
    bySlots.delete(offer.slots);
    if (bySlots.size === 0) this.#byHeight.delete(opensAt);
  }

  rekey(prices: Prices): void {
    for (const bySlots of this.#byHeight.values()) {
      for (const heap of bySlots.values()) heap.rekey((entry) => worthRank(entry, prices));
    }
  }

  /**
   * Number of slots left at a height after the envelopes of at least the same rank have taken theirs, best first.
   * Visits at most one envelope for each slot.
   * @param free the slots that no block has reserved
   * @param except the envelope that the new one replaces
   */
  freeBeside(opensAt: bigint, rank: bigint, free: number, except: Entry | undefined): number {
    const walks = [...(this.#byHeight.get(opensAt)?.values() ?? [])].map(
      (heap) => new HeapWalk<Entry, Entry>(heap, (entry) => (entry === except ? undefined : entry)),
    );
    // While the prices hold back the new one, all that can be included precede it.
    const lowest = rank < 0n ? 0n : rank;
    let left = free;
    for (;;) {
      let best: HeapWalk<Entry, Entry> | undefined;
      let first: Step<Entry> | undefined;
      for (const walk of walks) {
        const step = walk.peek();
        if (step === undefined || step.key < lowest || step.value.offer.slots > left) continue;
        if (first !== undefined && !isBefore(step, first)) continue;
        best = walk;
        first = step;
      }
      if (first === undefined) return left;
      best?.next();
      left -= first.value.offer.slots;
    }
  }
}

function worthRank(entry: Entry, prices: Prices): bigint {
  return rankOf(entry.worth(prices), entry.offer.slots);
}
