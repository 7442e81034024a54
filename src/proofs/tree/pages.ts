/**
 * The tree in memory. It is cut into pages at every sixth level; a page is one of two:
 *
 * - an `InnerPage` holds the 63 nodes of six levels and the 64 places below, each with its child page. Node 1 is the
 *   page's root, node i has children 2i and 2i + 1, nodes 64 to 127 are the places.
 * - a `Bucket` holds a whole subtree of few leaves as its sorted entries; its inner nodes are worked out when it changes.
 *
 * How the tree is cut follows from its history of changes and is not committed to; only the hashes are.
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

/** Memory of a bucket beside its entries, of an inner page in all: measured with --expose-gc, rounded up. */
const BUCKET_OVERHEAD_BYTES = 136;
const INNER_BYTES = 5600;

const NO_WORDS = new Int32Array(0);

export type Page = InnerPage | Bucket;

/** What both kinds of page carry: their place, and what the cache needs to know. */
abstract class PageBase {
  readonly parent: InnerPage | undefined;
  /** The place in the parent, 0 to 63. */
  readonly slot: number;
  /** How many pages are above: the page's root is at depth 6 × level of the tree. */
  readonly level: number;
  /** Changed since it was last handed out to be stored. */
  dirty = false;
  /** The store holds, or will soon hold, some version of it. */
  stored = false;
  /** The height at which the stored version was handed out; of meaning where there is one. */
  writtenAt = 0;
  /** With which handing out its present content goes to the store. */
  handedOut = 0;
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

export class InnerPage extends PageBase {
  readonly kinds = new Uint8Array(2 * SLOTS);
  /** 32 bytes a node, zero where it is empty. */
  readonly nodes = new Int32Array(2 * SLOTS * HASH_WORDS);
  /** Child pages in memory; a place that is not empty and has none here is in the store. */
  readonly children: (Page | undefined)[] = new Array<Page | undefined>(SLOTS).fill(undefined);
  /** Nodes whose parents are to be hashed again, ascending and of one level. */
  frontier: number[] = [];

  get bytes(): number {
    return INNER_BYTES;
  }

  /** Sets what is below a place. */
  setSlot(slot: number, kind: number, from: Int32Array, at: number): void {
    const node = SLOTS + slot;
    this.kinds[node] = kind;
    copyHash(from, at, this.nodes, node * HASH_WORDS);
  }

  /** Puts the hash of the page's root in its place of the page above. */
  riseToParent(): void {
    this.parent?.setSlot(this.slot, this.kinds[1] as number, this.nodes, HASH_WORDS);
  }

  slotKind(slot: number): number {
    return this.kinds[SLOTS + slot] as number;
  }
}

export class Bucket extends PageBase implements EntryBlock {
  /** Entries (words.ts) in ascending order of their keys: `count` of them from word `at` on. */
  words: Int32Array = NO_WORDS;
  at = 0;
  count = 0;

  /** Takes `count` entries (at most 64) from the start of `from`. */
  setEntries(pool: EntryPool, from: Int32Array, count: number): void {
    this.makeRoom(pool, count);
    const end = count * ENTRY_WORDS;
    for (let i = 0; i < end; i++) this.words[this.at + i] = from[i] as number;
  }

  /** Makes it a bucket of `count` entries (at most 64), which are yet to be written. */
  makeRoom(pool: EntryPool, count: number): void {
    if (this.count === 0 || blockEntries(this.count) !== blockEntries(count)) {
      pool.release(this, this.count);
      if (count > 0) pool.allocate(this, count);
    }
    this.count = count;
  }

  get bytes(): number {
    return BUCKET_OVERHEAD_BYTES + blockEntries(this.count) * ENTRY_WORDS * 4;
  }
}
