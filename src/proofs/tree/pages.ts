/**
 * The tree in memory, cut into pages at every sixth level. There are two kinds of page:
 *
 * - an `InnerPage` holds the 63 nodes of six levels and the 64 places below, each with its child page. Node 1 is the
 *   page's root, node i has children 2i and 2i + 1, nodes 64 to 127 are the places.
 * - a `Bucket` holds a whole subtree of few leaves as its sorted entries; its inner nodes are computed when it changes.
 *
 * The cut depends on the history of changes and is not committed to; only the hashes are.
 *
 * Hot path: guarded by bench/tree.bench.ts. A block with many changes reads all over this memory, so the data for a
 * change is in as few cache lines as possible.
 */
import { blockEntries, type EntryBlock, type EntryPool } from './entry-pool.js';
import { copyHash, ENTRY_WORDS, HASH_WORDS } from './words.js';

/** Content of a node's subtree: nothing, one leaf (the node is that leaf), or more. */
export const EMPTY = 0;
export const LEAF = 1;
export const INNER = 2;

export const SLOTS = 64;
/** A bucket with more entries becomes an inner page. */
export const BUCKET_ENTRIES = 64;
/** Size of an inner page's nodes, in entries. */
const PAGE_ENTRIES = (2 * SLOTS * HASH_WORDS) / ENTRY_WORDS;

/** Memory of a page outside the pool: measured with --expose-gc, rounded up. */
const BUCKET_OVERHEAD_BYTES = 144;
const INNER_OVERHEAD_BYTES = 720;

const NO_WORDS = new Int32Array(0);

export type Page = InnerPage | Bucket;

/** Fields of both kinds of page: their position, and the cache's bookkeeping. */
abstract class PageBase implements EntryBlock {
  /** Number of pages above: the page's root is at depth 6 × level of the tree. */
  readonly level: number;
  /** The page's content starts at word `at`. */
  words: Int32Array = NO_WORDS;
  at = 0;
  dirty = false;
  /** True while the page is part of a flush but not encoded yet; it is encoded before it changes again. */
  pending = false;
  /** True if the store holds, or will soon hold, some version of the page. */
  stored = false;
  /** The height at which the stored version was flushed; only meaningful if `stored`. */
  writtenAt = 0;
  /** Number of the flush that writes the page's current content. */
  flushNumber = 0;
  /** Number of the last change of the tree that used the page. */
  lastUsed = 0;

  constructor(
    readonly parent: InnerPage | undefined,
    /** The place in the parent, 0 to 63. */
    readonly slot: number,
  ) {
    this.level = parent === undefined ? 0 : parent.level + 1;
  }

  /** The places on the path from the root. */
  path(): number[] {
    return this.parent === undefined ? [] : [...this.parent.path(), this.slot];
  }
}

/**
 * Each node's hash is 32 bytes of the page's memory, zero if the node is empty. There is no node 0: its words hold the
 * kinds of all nodes, two bits each.
 */
export class InnerPage extends PageBase {
  /** Child pages in memory; a non-empty place without one has its page in the store. */
  readonly children: (Page | undefined)[] = new Array<Page | undefined>(SLOTS).fill(undefined);
  /** Places whose parents must be hashed again: bit i of `changedLow` is place i, of `changedHigh` place 32 + i. */
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

  release(pool: EntryPool): void {
    pool.release(this, PAGE_ENTRIES);
    this.words = NO_WORDS;
  }

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

  setSlot(slot: number, kind: number, from: Int32Array, at: number): void {
    const node = SLOTS + slot;
    this.setKind(node, kind);
    copyHash(from, at, this.words, this.nodeAt(node));
  }

  markChanged(slot: number): void {
    if (slot < 32) this.changedLow |= 1 << slot;
    else this.changedHigh |= 1 << (slot - 32);
  }

  markAllChanged(): void {
    this.changedLow = -1;
    this.changedHigh = -1;
  }

  /** Copies the hash of the page's root to its place in the parent page. */
  riseToParent(): void {
    this.parent?.setSlot(this.slot, this.kind(1), this.words, this.nodeAt(1));
  }
}

/** A page of entries (words.ts) in ascending order of their keys. */
export class Bucket extends PageBase {
  count = 0;

  /** Sets the bucket to the first `count` entries (at most 64) of `from`. */
  setEntries(pool: EntryPool, from: Int32Array, count: number): void {
    this.makeRoom(pool, count);
    const { words, at } = this;
    const end = count * ENTRY_WORDS;
    for (let i = 0; i < end; i++) words[at + i] = from[i] as number;
  }

  /** Resizes the bucket to `count` entries (at most 64), which the caller must write. */
  makeRoom(pool: EntryPool, count: number): void {
    if (this.count === 0 || blockEntries(this.count) !== blockEntries(count)) {
      pool.release(this, this.count);
      if (count > 0) pool.allocate(this, count);
    }
    this.count = count;
  }

  release(pool: EntryPool): void {
    this.makeRoom(pool, 0);
    this.words = NO_WORDS;
  }

  get bytes(): number {
    return BUCKET_OVERHEAD_BYTES + blockEntries(this.count) * ENTRY_WORDS * 4;
  }
}
