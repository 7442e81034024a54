/**
 * The tree in memory. It is cut into pages at every sixth level; a page is one of two:
 *
 * - an `InnerPage` holds the 63 nodes of six levels and the 64 places below, each with its child page. Node 1 is the
 *   page's root, node i has children 2i and 2i + 1, nodes 64 to 127 are the places.
 * - a `Bucket` holds a whole subtree of few leaves as its sorted entries; its inner nodes are worked out when it changes.
 *
 * How the tree is cut follows from its history of changes and is not committed to; only the hashes are.
 *
 * Hot path: guarded by bench/tree.bench.ts. A block of many changes reads all over this memory, so what a change needs lies
 * in as few cache lines as possible.
 */
import { blockEntries, type EntryBlock, type EntryPool } from './entry-pool.js';
import { copyHash, ENTRY_WORDS, HASH_WORDS } from './words.js';

/** What is below a node: nothing, one leaf (the node is that leaf), or more. */
export const EMPTY = 0;
export const LEAF = 1;
export const INNER = 2;

/** Places of an inner page. */
export const SLOTS = 64;
/** A bucket of more entries becomes an inner page. */
export const BUCKET_ENTRIES = 64;
/** An inner page's nodes take as much room as so many entries. */
const PAGE_ENTRIES = (2 * SLOTS * HASH_WORDS) / ENTRY_WORDS;

/** Memory of a page beside what it holds in the pool: measured with --expose-gc, rounded up. */
const BUCKET_OVERHEAD_BYTES = 144;
const INNER_OVERHEAD_BYTES = 720;

const NO_WORDS = new Int32Array(0);

export type Page = InnerPage | Bucket;

/** What both kinds of page carry: their place, and what the cache needs to know. */
abstract class PageBase implements EntryBlock {
  readonly parent: InnerPage | undefined;
  /** The place in the parent, 0 to 63. */
  readonly slot: number;
  /** How many pages are above: the page's root is at depth 6 × level of the tree. */
  readonly level: number;
  /** What it holds begins at word `at`. */
  words: Int32Array = NO_WORDS;
  at = 0;
  /** Changed since it was last handed out to be stored. */
  dirty = false;
  /** Handed out, and not encoded yet: it is before it changes again. */
  pending = false;
  /** The store holds, or will soon hold, some version of it. */
  stored = false;
  /** The height at which the stored version was handed out; of meaning where there is one. */
  writtenAt = 0;
  /** With which handing out its present content goes to the store. */
  flushNumber = 0;
  /** The last change of the tree that needed it. */
  lastUsed = 0;

  constructor(parent: InnerPage | undefined, slot: number) {
    this.parent = parent;
    this.slot = slot;
    this.level = parent === undefined ? 0 : parent.level + 1;
  }

  /** The places that lead here from the root. */
  path(): number[] {
    return this.parent === undefined ? [] : [...this.parent.path(), this.slot];
  }
}

/**
 * Of its memory, 32 bytes are each node's hash, zero where it is empty. There is no node 0: its words hold the kinds of all
 * nodes, two bits each.
 */
export class InnerPage extends PageBase {
  /** Child pages in memory; a place that is not empty and has none here is in the store. */
  readonly children: (Page | undefined)[] = new Array<Page | undefined>(SLOTS).fill(undefined);
  /** The places whose parents are to be hashed again: bit i of the first for place i, of the second for place 32 + i. */
  changedLow = 0;
  changedHigh = 0;

  constructor(pool: EntryPool, parent: InnerPage | undefined, slot: number) {
    super(parent, slot);
    pool.allocate(this, PAGE_ENTRIES);
    this.words.fill(0, this.at, this.at + PAGE_ENTRIES * ENTRY_WORDS);
  }

  get bytes(): number {
    return INNER_OVERHEAD_BYTES + PAGE_ENTRIES * ENTRY_WORDS * 4;
  }

  /** Gives its memory back. */
  release(pool: EntryPool): void {
    pool.release(this, PAGE_ENTRIES);
    this.words = NO_WORDS;
  }

  /** Where the hash of a node is in `words`. */
  nodeAt(node: number): number {
    return this.at + node * HASH_WORDS;
  }

  kind(node: number): number {
    return ((this.words[this.at + (node >> 4)] as number) >>> ((node & 15) << 1)) & 3;
  }

  setKind(node: number, kind: number): void {
    const at = this.at + (node >> 4);
    const shift = (node & 15) << 1;
    this.words[at] = ((this.words[at] as number) & ~(3 << shift)) | (kind << shift);
  }

  slotKind(slot: number): number {
    return this.kind(SLOTS + slot);
  }

  /** Sets what is below a place. */
  setSlot(slot: number, kind: number, from: Int32Array, at: number): void {
    const node = SLOTS + slot;
    this.setKind(node, kind);
    copyHash(from, at, this.words, this.nodeAt(node));
  }

  /** Notes that what is below a place changes. */
  markChanged(slot: number): void {
    if (slot < 32) this.changedLow |= 1 << slot;
    else this.changedHigh |= 1 << (slot - 32);
  }

  /** Has all nodes above the places hashed. */
  markAllChanged(): void {
    this.changedLow = -1;
    this.changedHigh = -1;
  }

  /** Puts the hash of the page's root in its place of the page above. */
  riseToParent(): void {
    this.parent?.setSlot(this.slot, this.kind(1), this.words, this.nodeAt(1));
  }
}

/** Its memory has its entries (words.ts) in ascending order of their keys. */
export class Bucket extends PageBase {
  count = 0;

  /** Takes `count` entries (at most 64) from the start of `from`. */
  setEntries(pool: EntryPool, from: Int32Array, count: number): void {
    this.makeRoom(pool, count);
    const { words, at } = this;
    const end = count * ENTRY_WORDS;
    for (let i = 0; i < end; i++) words[at + i] = from[i] as number;
  }

  /** Makes it a bucket of `count` entries (at most 64), which are yet to be written. */
  makeRoom(pool: EntryPool, count: number): void {
    if (this.count === 0 || blockEntries(this.count) !== blockEntries(count)) {
      pool.release(this, this.count);
      if (count > 0) pool.allocate(this, count);
    }
    this.count = count;
  }

  /** Gives its memory back. */
  release(pool: EntryPool): void {
    this.makeRoom(pool, 0);
    this.words = NO_WORDS;
  }

  get bytes(): number {
    return BUCKET_OVERHEAD_BYTES + blockEntries(this.count) * ENTRY_WORDS * 4;
  }
}
