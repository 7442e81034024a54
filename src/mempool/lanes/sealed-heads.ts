import type { Prices } from '../prices.js';
import { Heap, HeapNode } from './heap.js';
import { HeapWalk, isBefore, type Step } from './heap-walk.js';
import { type Entry, HELD_BACK, type Lane } from './sender-lanes.js';

/** Lanes whose heads open at one height with equally many slots: a block without room for one has none for others. */
class SlotGroup {
  /** Ranked like the first of its lanes. */
  readonly node = new HeapNode<SlotGroup>(this);
  readonly lanes = new Heap<Lane>('highest');
  readonly #onChange: (group: SlotGroup) => void;

  constructor(
    readonly key: bigint,
    readonly slots: number,
    onChange: (group: SlotGroup) => void,
  ) {
    this.#onChange = onChange;
  }

  put(node: HeapNode<Lane>, rank: bigint, arrival: number): void {
    this.lanes.put(node, rank, arrival);
    this.#onChange(this);
  }

  remove(node: HeapNode<Lane>): void {
    this.lanes.remove(node);
    this.#onChange(this);
  }
}

/** Lanes whose heads are envelopes, by descending {@link Entry.slotRank}, then by arrival. */
export class SealedHeads {
  readonly #groups = new Map<bigint, SlotGroup>();
  readonly #bySlots = new Map<number, Heap<SlotGroup>>();

  /** True if the prices allow at least one of the envelopes. */
  get hasReady(): boolean {
    return (this.#best ?? -1n) >= 0n;
  }

  /**
   * The highest base fee at which one of the envelopes could be included if seal_excess were 0, while the prices hold
   * back all of them; undefined if there are none.
   */
  get heldBackFee(): bigint | undefined {
    const best = this.#best;
    return best === undefined ? undefined : best + HELD_BACK;
  }

  get #best(): bigint | undefined {
    let best: bigint | undefined;
    for (const { first } of this.#bySlots.values()) {
      if (first !== undefined && (best === undefined || first.key > best)) best = first.key;
    }
    return best;
  }

  /** The group of an envelope, into which its lane can be put. */
  groupOf(head: Entry): SlotGroup {
    const key = groupKey(head);
    return this.#groups.get(key) ?? new SlotGroup(key, head.offer.slots, (group) => this.#settle(group));
  }

  rekey(prices: Prices): void {
    for (const group of this.#groups.values()) {
      group.lanes.rekey(({ head }) => head?.slotRank(prices) ?? 0n);
      this.#settle(group);
    }
  }

  /** @param entryOf the entry at which a lane starts; undefined to skip the lane */
  walk(entryOf: (lane: Lane) => Entry | undefined): SealedWalk {
    return new SealedWalk(this.#groups, this.#bySlots, entryOf);
  }

  #settle(group: SlotGroup): void {
    const { first } = group.lanes;
    let groups = this.#bySlots.get(group.slots);
    if (first === undefined) {
      this.#groups.delete(group.key);
      groups?.remove(group.node);
      return;
    }
    if (groups === undefined) {
      groups = new Heap('highest');
      this.#bySlots.set(group.slots, groups);
    }
    this.#groups.set(group.key, group);
    groups.put(group.node, first.key, first.tie);
  }
}

/** Iterates over envelopes in draw order without changing anything. */
export class SealedWalk {
  readonly #groups: ReadonlyMap<bigint, SlotGroup>;
  readonly #entryOf: (lane: Lane) => Entry | undefined;
  readonly #bySlots = new Map<number, ClassWalk>();

  constructor(
    groups: ReadonlyMap<bigint, SlotGroup>,
    bySlots: ReadonlyMap<number, Heap<SlotGroup>>,
    entryOf: (lane: Lane) => Entry | undefined,
  ) {
    this.#groups = groups;
    this.#entryOf = entryOf;
    for (const [slots, heap] of bySlots) this.#bySlots.set(slots, new ClassWalk(heap, entryOf));
  }

  /** Returns the next of the envelopes that reserve at most `slotsLeft` slots. The others are not visited. */
  next(slotsLeft: number): Step<Entry> | undefined {
    let best: ClassWalk | undefined;
    let step: Step<Entry> | undefined;
    for (const [slots, one] of this.#bySlots) {
      const first = slots > slotsLeft ? undefined : one.peek();
      if (first === undefined || (step !== undefined && !isBefore(first, step))) continue;
      best = one;
      step = first;
    }
    best?.advance();
    return step;
  }

  /** Adds an envelope that is not the head of its lane. */
  add(entry: Entry, rank: bigint): void {
    const { slots } = entry.offer;
    let one = this.#bySlots.get(slots);
    if (one === undefined) {
      one = new ClassWalk(new Heap('highest'), this.#entryOf);
      this.#bySlots.set(slots, one);
    }
    const key = groupKey(entry);
    one.add(key, this.#groups.get(key), entry, rank);
  }

  /** Skips, and returns, all further envelopes with the opening height and number of slots of this one. */
  close(entry: Entry): Iterable<Entry> {
    return this.#bySlots.get(entry.offer.slots)?.close(groupKey(entry)) ?? [];
  }
}

class GroupWalk {
  readonly node = new HeapNode<GroupWalk>(this);
  isClosed = false;

  constructor(readonly entries: HeapWalk<Lane, Entry>) {}

  *rest(): Iterable<Entry> {
    for (let step = this.entries.next(); step !== undefined; step = this.entries.next()) yield step.value;
  }
}

/** The walk of all groups with one number of slots. A group is opened when its first lane is reached. */
class ClassWalk {
  readonly #entryOf: (lane: Lane) => Entry | undefined;
  readonly #unopened: HeapWalk<SlotGroup, SlotGroup>;
  readonly #opened = new Map<bigint, GroupWalk>();
  /** Open groups, ranked by their next entries. */
  readonly #open = new Heap<GroupWalk>('highest');

  constructor(groups: Heap<SlotGroup>, entryOf: (lane: Lane) => Entry | undefined) {
    this.#entryOf = entryOf;
    this.#unopened = new HeapWalk(groups, (group) => group);
  }

  peek(): Step<Entry> | undefined {
    for (;;) {
      const group = this.#unopened.peek();
      const { first } = this.#open;
      // A group's rank is an upper bound: its first lanes may be skipped.
      if (group === undefined || (first !== undefined && first.key > group.key)) break;
      this.#unopened.next();
      this.#opening(group.value.key, group.value);
    }
    return this.#open.first?.value.entries.peek();
  }

  advance(): void {
    const { first } = this.#open;
    if (first === undefined) return;
    first.value.entries.next();
    this.#settle(first.value);
  }

  add(key: bigint, group: SlotGroup | undefined, entry: Entry, rank: bigint): void {
    const walk = this.#opening(key, group);
    walk.entries.add(entry, rank, entry.arrival);
    this.#settle(walk);
  }

  close(key: bigint): Iterable<Entry> {
    const walk = this.#opened.get(key);
    if (walk === undefined) return [];
    walk.isClosed = true;
    this.#settle(walk);
    return walk.rest();
  }

  #opening(key: bigint, group: SlotGroup | undefined): GroupWalk {
    let walk = this.#opened.get(key);
    if (walk === undefined) {
      walk = new GroupWalk(new HeapWalk(group?.lanes ?? new Heap<Lane>('highest'), this.#entryOf));
      this.#opened.set(key, walk);
      this.#settle(walk);
    }
    return walk;
  }

  #settle(walk: GroupWalk): void {
    const step = walk.isClosed ? undefined : walk.entries.peek();
    if (step === undefined) this.#open.remove(walk.node);
    else this.#open.put(walk.node, step.key, step.value.arrival);
  }
}

/** More than the number of slots of any envelope in the pool. */
const SLOTS_UNIT = 32n;

function groupKey({ opensAt = 0n, offer }: Entry): bigint {
  return opensAt * SLOTS_UNIT + BigInt(offer.slots);
}
