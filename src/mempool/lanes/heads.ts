import type { Prices } from '../prices.js';
import { Heap } from './heap.js';
import { HeapWalk, isBefore, type Step } from './heap-walk.js';
import { SealedHeads, type SealedWalk } from './sealed-heads.js';
import { type Entry, type Lane, minGasOfSize } from './sender-lanes.js';

/**
 * Lanes with a ready head in draw order: by descending tip of the head, then by arrival. They are grouped by the size
 * class of the head's gas limit, so that all heads too large for the remaining gas are skipped at once. Envelopes stand
 * apart, by descending tip per opening slot; see {@link SealedHeads}.
 */
export class Heads {
  readonly #bySize = new Map<number, Heap<Lane>>();
  readonly #sealed = new SealedHeads();

  /** True if the prices allow at least one head. */
  get hasReady(): boolean {
    return this.#sealed.hasReady || (this.#bestTip ?? -1n) >= 0n;
  }

  /**
   * The highest base fee at which a head could be included if seal_excess were 0, while the prices hold back all of
   * them; undefined if there are none.
   */
  heldBackFee(baseFee: bigint): bigint | undefined {
    const tip = this.#bestTip;
    const open = tip === undefined ? undefined : baseFee + tip;
    const { heldBackFee: sealed } = this.#sealed;
    return open === undefined || (sealed !== undefined && sealed > open) ? sealed : open;
  }

  /** The highest tip of transactions other than envelopes. Negative if the base fee is too high for all of them. */
  get #bestTip(): bigint | undefined {
    let best: bigint | undefined;
    for (const { first } of this.#bySize.values()) {
      if (first !== undefined && (best === undefined || first.key > best)) best = first.key;
    }
    return best;
  }

  /** Updates a lane's rank from its head, or removes the lane if it has none. */
  settle(lane: Lane, prices: Prices): void {
    const { head } = lane;
    const belongs = head === undefined ? undefined : this.#placeOf(head);
    if (lane.heads !== belongs) lane.heads?.remove(lane.headNode);
    if (head !== undefined) {
      const rank = head.offer.slots > 0 ? head.slotRank(prices) : head.tip(prices);
      belongs?.put(lane.headNode, rank, head.arrival);
    }
    lane.heads = belongs;
  }

  rekey(prices: Prices): void {
    for (const heap of this.#bySize.values()) heap.rekey(({ head }) => head?.tip(prices) ?? 0n);
    this.#sealed.rekey(prices);
  }

  /** All heads but envelopes. @param entryOf the entry at which a lane starts; undefined to skip the lane */
  walk(entryOf: (lane: Lane) => Entry | undefined): HeadWalk {
    return new HeadWalk(this.#bySize, entryOf);
  }

  /** Like {@link walk}, for the envelopes, by rank. */
  walkSealed(entryOf: (lane: Lane) => Entry | undefined): SealedWalk {
    return this.#sealed.walk(entryOf);
  }

  #placeOf(head: Entry): Lane['heads'] {
    return head.offer.slots > 0 ? this.#sealed.groupOf(head) : this.#ofSize(head.gasSize);
  }

  #ofSize(size: number): Heap<Lane> {
    let heap = this.#bySize.get(size);
    if (heap === undefined) {
      heap = new Heap('highest');
      this.#bySize.set(size, heap);
    }
    return heap;
  }
}

interface SizeWalk {
  readonly size: number;
  readonly minGas: bigint;
  readonly walk: HeapWalk<Lane, Entry>;
  next: Step<Entry> | undefined;
}

/** Iterates over heads of all size classes in draw order, without changing anything. */
export class HeadWalk {
  readonly #sizes: SizeWalk[];
  readonly #closed = new Set<number>();
  /** The first entry of each size class that was too large, in draw order. */
  readonly tooLarge: Entry[] = [];

  constructor(bySize: ReadonlyMap<number, Heap<Lane>>, entryOf: (lane: Lane) => Entry | undefined) {
    this.#sizes = [];
    for (const [size, heap] of bySize) {
      if (heap.size > 0) this.#sizes.push(openSize(size, heap, entryOf));
    }
  }

  /** The next entry whose limit may fit; closes size classes that cannot. @param gasLeft must not increase */
  next(gasLeft: bigint): Step<Entry> | undefined {
    for (;;) {
      const best = this.#best();
      if (best?.next === undefined) return undefined;
      const step = best.next;
      if (step.key >= 0n && best.minGas > gasLeft) {
        this.tooLarge.push(step.value);
        this.close(best.size);
        continue;
      }
      best.walk.next();
      best.next = best.walk.peek();
      return step;
    }
  }

  /** Adds an entry that is not the head of its lane. */
  add(entry: Entry, tip: bigint): void {
    const { gasSize: size } = entry;
    if (this.#closed.has(size)) return;
    let one = this.#sizes.find((each) => each.size === size);
    if (one === undefined) {
      one = openSize(size, new Heap('highest'), () => undefined);
      this.#sizes.push(one);
    }
    one.walk.add(entry, tip, entry.arrival);
    one.next = one.walk.peek();
  }

  close(size: number): void {
    this.#closed.add(size);
    const place = this.#sizes.findIndex((each) => each.size === size);
    if (place >= 0) this.#sizes.splice(place, 1);
  }

  #best(): SizeWalk | undefined {
    let best: SizeWalk | undefined;
    for (const one of this.#sizes) {
      if (one.next !== undefined && (best?.next === undefined || isBefore(one.next, best.next))) best = one;
    }
    return best;
  }
}

function openSize(size: number, heap: Heap<Lane>, entryOf: (lane: Lane) => Entry | undefined): SizeWalk {
  const walk = new HeapWalk<Lane, Entry>(heap, entryOf);
  return { size, minGas: minGasOfSize(size), walk, next: walk.peek() };
}
