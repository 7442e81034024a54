/**
 * The state tree: a compressed binary Merkle tree over 32-byte keys.
 *
 * 1. leaf = sha256(0x00 ‖ key32 ‖ sha256(value)); inner = sha256(left ‖ right); the most significant bit of a key comes
 *    first, 0 goes left.
 * 2. A subtree with one leaf is that leaf; an empty one is 32 zero bytes.
 *
 * Pages (pages.ts) are loaded from the store when a change needs them, cached up to a limit, and flushed when the owner
 * asks for it. A flushed page is not evicted before the owner confirms that the store has it, so that it is never read
 * back in an older version.
 */
import type { Hashes } from '../../crypto/crypto.js';
import { ProofError } from '../proof-error.js';
import { GraftedTop } from './grafted-top.js';
import { PageHasher } from './hashing.js';
import { LeafHasher } from './leaf-hashing.js';
import { PageCache, type PagePlace } from './page-cache.js';
import { nodeHash } from './page-codec.js';
import type { PageFlush } from './page-flush.js';
import type { PageReader } from './page-versions.js';
import { BUCKET_ENTRIES, Bucket, EMPTY, InnerPage, SLOTS } from './pages.js';
import {
  mergeEntries,
  type SortedChanges,
  sortChanges,
  type TreeChange,
  updateEntry,
} from './sorted-changes.js';
import { PathFinder, type TreePath } from './tree-paths.js';
import { ChangedTop, encodeTop, TreeTop } from './tree-top.js';
import { ENTRY_WORDS, IS_LITTLE_ENDIAN, keySlot } from './words.js';

export interface StateTreeOptions {
  readonly crypto: Hashes;
  readonly store: PageReader;
  /** Memory limit for evictable pages, in bytes. The upper pages and dirty ones are never evicted. */
  readonly cacheBytes: number;
}

/** Excess over the memory limit, as a fraction, that is tolerated until the next {@link StateTree.evict}. */
const EVICTION_GRACE = 0.2;

/** Changes `from` to `to` that fall into one place of a page. */
interface Group extends PagePlace {
  readonly from: number;
  readonly to: number;
}

/** Pages touched by one `applySorted`, by level. */
interface Touched {
  readonly buckets: Bucket[][];
  readonly inner: InnerPage[][];
}

export class StateTree {
  readonly #crypto: Hashes;
  readonly #hasher: PageHasher;
  #leaves: LeafHasher | undefined;
  readonly cache: PageCache;
  /** Scratch buffer for merged entries. */
  #merged = new Int32Array(4 * BUCKET_ENTRIES * ENTRY_WORDS);
  /** `replaced` and top changes of the current `applySorted`. */
  #replaced: SortedChanges | undefined;
  #changedTop: ChangedTop | undefined;
  /** Changes that wait for pages to be loaded. */
  #waiting: Group[] = [];
  readonly #root: InnerPage;
  readonly #paths: PathFinder;

  private constructor({ crypto, store, cacheBytes }: StateTreeOptions, isStored: boolean) {
    if (!IS_LITTLE_ENDIAN) {
      const message = 'state tree: this platform is big-endian, which is not supported';
      throw new ProofError('invalid_input', message);
    }
    this.#crypto = crypto;
    this.#hasher = new PageHasher(crypto);
    this.cache = new PageCache(store, this.#hasher, cacheBytes);
    this.#root = isStored ? this.cache.loadRoot() : new InnerPage(this.cache.pool, undefined, 0);
    if (!isStored) this.cache.touch(this.#root);
    this.#paths = new PathFinder(crypto, this.cache, this.#root);
  }

  static empty(options: StateTreeOptions): StateTree {
    return new StateTree(options, false);
  }

  /** Opens the stored tree. @throws ProofError `damaged` */
  static open(options: StateTreeOptions): StateTree {
    return new StateTree(options, true);
  }

  /** 32 bytes; zero for a tree without keys. */
  root(): Uint8Array<ArrayBuffer> {
    return nodeHash(this.#root, 1);
  }

  /** The paths to the places of keys (32 bytes each), present or not. @throws ProofError `invalid_input`, `damaged` */
  pathsToKeys(keys: readonly Uint8Array[]): TreePath[] {
    this.cache.tick();
    const paths = this.#paths.toKeys(keys);
    this.cache.evict(this.#root, EVICTION_GRACE);
    return paths;
  }

  /**
   * Sets and deletes keys, each at most once. Deleting an absent key changes nothing.
   * @throws ProofError `invalid_input` (the tree is unchanged), `damaged` (the tree is unusable)
   */
  apply(changes: readonly TreeChange[]): void {
    this.#leaves ??= new LeafHasher(this.#crypto);
    this.applySorted(sortChanges(this.#leaves, changes));
  }

  /**
   * {@link apply} for changes that are already hashed and sorted.
   * @param replaced if given, receives the replaced entries
   * @returns with `withTop`, the encoded changes of the tree's top (tree-top.ts)
   */
  applySorted(changes: SortedChanges, replaced?: SortedChanges): void;
  applySorted(changes: SortedChanges, replaced: SortedChanges, withTop: true): Uint8Array<ArrayBuffer>;
  applySorted(changes: SortedChanges, replaced?: SortedChanges, withTop = false): unknown {
    const top = withTop ? new ChangedTop() : undefined;
    if (changes.count === 0) return top?.encode(this.#root);
    this.#replaced = replaced;
    this.#changedTop = top;
    this.cache.tick();
    const touched: Touched = { buckets: [], inner: [] };
    this.#changePage(this.#root, changes, 0, changes.count, touched);
    while (this.#waiting.length > 0) {
      const groups = this.#waiting;
      this.#waiting = [];
      this.cache.load(groups);
      for (const { parent, slot, from, to } of groups) {
        this.#changePlace(parent, slot, changes, from, to, touched);
      }
    }
    this.#replaced = undefined;
    this.#hash(touched);
    this.#changedTop = undefined;
    this.cache.evict(this.#root, EVICTION_GRACE);
    return top?.encode(this.#root);
  }

  /** The top of the tree, encoded (tree-top.ts). @throws ProofError `damaged` */
  top(): Uint8Array<ArrayBuffer> {
    this.cache.tick();
    this.cache.load(Array.from({ length: SLOTS }, (_, slot) => ({ parent: this.#root, slot })));
    return encodeTop(this.#root);
  }

  /** Gives a newly opened tree the top, and so the root, of another height's tree. @param top handed over */
  graft(top: TreeTop): GraftedTop {
    const own = new TreeTop();
    own.apply(this.top());
    return new GraftedTop(this.cache, this.#hasher, this.#root, own, top);
  }

  /** Applies the changes `from` to `to` (exclusive), which all fall below an inner page. */
  #changePage(page: InnerPage, changes: SortedChanges, from: number, to: number, touched: Touched): void {
    this.cache.touch(page);
    const { level } = page;
    atLevel(touched.inner, level).push(page);
    for (let start = from; start < to; ) {
      const slot = keySlot(changes.entries, start * ENTRY_WORDS, level);
      let end = start + 1;
      while (end < to && keySlot(changes.entries, end * ENTRY_WORDS, level) === slot) end++;
      page.markChanged(slot);
      if (page.children[slot] === undefined && page.slotKind(slot) !== EMPTY) {
        this.#waiting.push({ parent: page, slot, from: start, to: end });
      } else {
        this.#changePlace(page, slot, changes, start, end, touched);
      }
      start = end;
    }
  }

  /** Applies the changes `from` to `to` (exclusive) in one place of a page; its child page, if any, is in memory. */
  #changePlace(
    parent: InnerPage,
    slot: number,
    changes: SortedChanges,
    from: number,
    to: number,
    touched: Touched,
  ): void {
    const child = parent.children[slot];
    if (child instanceof InnerPage) {
      this.#changePage(child, changes, from, to, touched);
      return;
    }
    if (child !== undefined) this.#touch(child, touched);
    const replaced = this.#replaced;
    if (child !== undefined && to - from === 1 && updateEntry(child, changes, from, replaced)) return;
    const room = ((child?.count ?? 0) + to - from) * ENTRY_WORDS;
    if (room > this.#merged.length) this.#merged = new Int32Array(room * 2);
    const count = mergeEntries(child, changes, from, to, this.#merged, replaced);
    if (count > BUCKET_ENTRIES) {
      if (child !== undefined) touched.buckets[child.level]?.pop();
      this.#grow(parent, slot, child, this.#merged.slice(0, count * ENTRY_WORDS), touched);
      return;
    }
    const bucket = child ?? this.cache.adopt(new Bucket(parent, slot), parent, slot);
    this.cache.setEntries(bucket, this.#merged, count);
    if (child === undefined) this.#touch(bucket, touched);
  }

  #touch(bucket: Bucket, touched: Touched): void {
    this.cache.touch(bucket);
    atLevel(touched.buckets, bucket.level).push(bucket);
  }

  /** Replaces a bucket that has become too large with an inner page over smaller buckets. */
  #grow(
    parent: InnerPage,
    slot: number,
    old: Bucket | undefined,
    entries: Int32Array,
    touched: Touched,
  ): void {
    const page = new InnerPage(this.cache.pool, parent, slot);
    this.cache.replace(old, page, parent);
    this.cache.touch(page);
    this.#changedTop?.noteSplit(page);
    atLevel(touched.inner, page.level).push(page);
    for (let from = 0; from < entries.length; ) {
      const place = keySlot(entries, from, page.level);
      let to = from + ENTRY_WORDS;
      while (to < entries.length && keySlot(entries, to, page.level) === place) to += ENTRY_WORDS;
      page.markChanged(place);
      const part = entries.slice(from, to);
      if (part.length > BUCKET_ENTRIES * ENTRY_WORDS) {
        this.#grow(page, place, undefined, part, touched);
      } else {
        const bucket = this.cache.adopt(new Bucket(page, place), page, place);
        this.cache.setEntries(bucket, part, part.length / ENTRY_WORDS);
        this.#touch(bucket, touched);
      }
      from = to;
    }
  }

  /** Hashes the touched pages, from the deepest level up. */
  #hash({ buckets, inner }: Touched): void {
    for (let level = Math.max(buckets.length, inner.length) - 1; level >= 0; level--) {
      const changedBuckets = buckets[level] ?? [];
      this.#hasher.hashBuckets(changedBuckets);
      for (const bucket of changedBuckets) if (bucket.count === 0) this.cache.remove(bucket);
      const changedInner = inner[level] ?? [];
      if (level <= 1) this.#changedTop?.note(changedInner);
      this.#hasher.hashInner(changedInner);
      for (const page of changedInner) {
        page.riseToParent();
        if (page.kind(1) === EMPTY) this.cache.remove(page);
      }
    }
  }

  /** Begins a flush with all pages encoded. */
  flush(height: bigint): PageFlush {
    const flush = this.cache.beginFlush(height);
    flush.step(Number.POSITIVE_INFINITY);
    return flush;
  }

  /** Evicts pages if memory exceeds its limit. Scans all pages in memory, so call it between blocks. */
  evict(): void {
    this.cache.evict(this.#root, 0);
  }
}

function atLevel<T>(levels: T[][], level: number): T[] {
  while (levels.length <= level) levels.push([]);
  return levels[level] as T[];
}
