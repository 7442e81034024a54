/**
 * The state tree: a compressed binary Merkle tree over 32-byte keys.
 *
 * 1. leaf = sha256(0x00 ‖ key32 ‖ sha256(value)); inner = sha256(left ‖ right); the most significant bit of a key comes
 *    first, 0 goes left.
 * 2. A subtree with one leaf is that leaf; an empty one is 32 zero bytes.
 *
 * Pages (pages.ts) are read from the store when a change needs them, up to a bound kept in memory, and handed out to be
 * stored when the owner asks for it. A page that was handed out is not dropped from memory before the owner confirms that the
 * store has it, so that it is never read back in an older version.
 */
import type { Hashes } from '../../crypto/load-hashes.js';
import type { StoreReader } from '../../storage/store.js';
import type { WriteBatch } from '../../storage/write-batch.js';
import { ProofError } from '../proof-error.js';
import { EntryPool } from './entry-pool.js';
import { PageHasher, wholeFrontier } from './hashing.js';
import { mergeEntries, updateEntry } from './merge-entries.js';
import { decodePage, describePath, encodePage, nodeHash, pageKey } from './page-codec.js';
import { BUCKET_ENTRIES, Bucket, EMPTY, InnerPage, type Page, SLOTS } from './pages.js';
import { type SortedChanges, sortChanges, type TreeChange } from './sorted-changes.js';
import { ENTRY_WORDS, HASH_WORDS, IS_LITTLE_ENDIAN, keySlot } from './words.js';

/** Pages asked of the store in one call. */
const PAGES_A_READ = 1024;

export interface StateTreeOptions {
  readonly crypto: Hashes;
  readonly store: Pick<StoreReader, 'getMany'>;
  /** Pages that may stay in memory though they need not, in bytes. The upper pages and changed ones stay in any case. */
  readonly cacheBytes: number;
}

/** Changes `from` to `to` that fall into one place of a page. */
interface Group {
  readonly parent: InnerPage;
  readonly slot: number;
  readonly from: number;
  readonly to: number;
}

/** Pages touched by one application of changes, by their level. */
interface Touched {
  readonly buckets: Bucket[][];
  readonly inner: InnerPage[][];
}

export class StateTree {
  readonly #crypto: StateTreeOptions['crypto'];
  readonly #store: StateTreeOptions['store'];
  readonly #cacheBytes: number;
  readonly #hasher: PageHasher;
  readonly #pool = new EntryPool();
  /** Where entries are merged. */
  #merged = new Int32Array(4 * BUCKET_ENTRIES * ENTRY_WORDS);
  readonly #root: InnerPage;
  /** Keys of stored pages that are no more. */
  #removed: Uint8Array[] = [];
  #dirty: Page[] = [];
  /** Counts applications of changes, for the cache. */
  #clock = 0;
  #bytes = 0;
  #evictAbove: number;
  #handedOut = 0;
  #confirmed = 0;

  private constructor({ crypto, store, cacheBytes }: StateTreeOptions, root: InnerPage) {
    if (!IS_LITTLE_ENDIAN) {
      throw new ProofError(
        'invalid_input',
        'state tree: this platform is big-endian, which is not supported',
      );
    }
    this.#crypto = crypto;
    this.#store = store;
    this.#cacheBytes = cacheBytes;
    this.#evictAbove = cacheBytes;
    this.#hasher = new PageHasher(crypto);
    this.#root = root;
  }

  /** A tree without keys, to be filled. */
  static empty(options: StateTreeOptions): StateTree {
    const tree = new StateTree(options, new InnerPage(undefined, 0));
    tree.#markDirty(tree.#root);
    return tree;
  }

  /** The tree as it was last stored. @throws ProofError `damaged` */
  static open(options: StateTreeOptions): StateTree {
    const [encoded] = options.store.getMany('tree', [pageKey(undefined, 0)]);
    if (encoded === undefined) throw new ProofError('damaged', 'state tree: the stored root page is missing');
    const root = decodePage(encoded, undefined, 0, new EntryPool());
    if (!(root instanceof InnerPage)) {
      throw new ProofError('damaged', 'state tree: the stored root page is of the wrong kind');
    }
    const tree = new StateTree(options, root);
    root.frontier = wholeFrontier();
    tree.#hasher.hashInner([root]);
    return tree;
  }

  /** 32 bytes; zero for a tree without keys. */
  root(): Uint8Array<ArrayBuffer> {
    return nodeHash(this.#root, 1);
  }

  /** Bytes of the pages in memory, but for the root page. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Pages that changed since they were last handed out. */
  get dirtyPages(): number {
    return this.#dirty.length;
  }

  /**
   * Sets and deletes keys, each at most once. Deleting an absent key changes nothing.
   * @throws ProofError `invalid_input` (the tree is as before), `damaged` (the tree is of no more use)
   */
  apply(changes: readonly TreeChange[]): void {
    this.applySorted(sortChanges(this.#crypto, changes));
  }

  /** {@link apply} for changes that are hashed and sorted. */
  applySorted(changes: SortedChanges): void {
    if (changes.count === 0) return;
    this.#clock++;
    const touched: Touched = { buckets: [], inner: [[this.#root]] };
    this.#markDirty(this.#root);
    let groups = this.#split(this.#root, changes, 0, changes.count);
    while (groups.length > 0) {
      this.#load(groups);
      const next: Group[] = [];
      for (const group of groups) {
        const child = this.#change(group, changes, touched);
        if (child instanceof InnerPage) {
          for (const below of this.#split(child, changes, group.from, group.to)) next.push(below);
        }
      }
      groups = next;
    }
    this.#hash(touched);
    if (this.#bytes > this.#evictAbove) this.#evict();
  }

  /** Cuts a run of changes into those for each place of a page. */
  #split(parent: InnerPage, changes: SortedChanges, from: number, to: number): Group[] {
    const groups: Group[] = [];
    for (let start = from; start < to; ) {
      const slot = keySlot(changes.entries, start * ENTRY_WORDS, parent.level);
      let end = start + 1;
      while (end < to && keySlot(changes.entries, end * ENTRY_WORDS, parent.level) === slot) end++;
      groups.push({ parent, slot, from: start, to: end });
      parent.frontier.push(SLOTS + slot);
      start = end;
    }
    return groups;
  }

  /** Reads the pages that the groups need and memory has not. */
  #load(groups: readonly Group[]): void {
    const missing = groups.filter(
      ({ parent, slot }) => parent.children[slot] === undefined && parent.slotKind(slot) !== EMPTY,
    );
    const inner: InnerPage[] = [];
    for (let from = 0; from < missing.length; from += PAGES_A_READ) {
      const portion = missing.slice(from, from + PAGES_A_READ);
      const stored = this.#store.getMany(
        'tree',
        portion.map(({ parent, slot }) => pageKey(parent, slot)),
      );
      for (const [index, { parent, slot }] of portion.entries()) {
        const encoded = stored[index];
        if (encoded === undefined) {
          throw new ProofError(
            'damaged',
            `state tree: the stored page ${describePath([...parent.path(), slot])} is missing`,
          );
        }
        const page = decodePage(encoded, parent, slot, this.#pool);
        this.#adopt(page, parent, slot);
        if (page instanceof InnerPage) {
          page.frontier = wholeFrontier();
          inner.push(page);
        }
      }
    }
    this.#hasher.hashInner(inner);
    for (const page of inner) this.#checkAgainstParent(page);
  }

  #checkAgainstParent(page: InnerPage): void {
    if (page.parent === undefined) return;
    const expected = nodeHash(page.parent, SLOTS + page.slot);
    const actual = nodeHash(page, 1);
    if (Buffer.compare(expected, actual) !== 0) {
      throw new ProofError(
        'damaged',
        `state tree: the stored page ${describePath(page.path())} has the hash ${Buffer.from(actual).toString('hex')}, the page above says ${Buffer.from(expected).toString('hex')}`,
      );
    }
  }

  /** Applies a group to the page in its place. @returns the page, if it has pages below that are still to be changed */
  #change(group: Group, changes: SortedChanges, touched: Touched): Page | undefined {
    const { parent, slot } = group;
    const child = parent.children[slot];
    if (child instanceof InnerPage) {
      child.lastUsed = this.#clock;
      this.#markDirty(child);
      atLevel(touched.inner, child.level).push(child);
      return child;
    }
    if (child !== undefined && group.to - group.from === 1 && updateEntry(child, changes, group.from)) {
      this.#touch(child, touched);
      return undefined;
    }
    const room = ((child?.count ?? 0) + group.to - group.from) * ENTRY_WORDS;
    if (room > this.#merged.length) this.#merged = new Int32Array(room * 2);
    const count = mergeEntries(child, changes, group.from, group.to, this.#merged);
    if (count > BUCKET_ENTRIES) {
      this.#grow(parent, slot, child, this.#merged.slice(0, count * ENTRY_WORDS), touched);
      return undefined;
    }
    const bucket = child ?? this.#adopt(new Bucket(parent, slot), parent, slot);
    this.#setEntries(bucket, this.#merged, count);
    this.#touch(bucket, touched);
    return undefined;
  }

  #setEntries(bucket: Bucket, entries: Int32Array, count: number): void {
    this.#bytes -= bucket.bytes;
    bucket.setEntries(this.#pool, entries, count);
    this.#bytes += bucket.bytes;
  }

  #touch(bucket: Bucket, touched: Touched): void {
    bucket.lastUsed = this.#clock;
    this.#markDirty(bucket);
    atLevel(touched.buckets, bucket.level).push(bucket);
  }

  /** Puts an inner page with buckets below it in the place of a bucket that has become too large. */
  #grow(
    parent: InnerPage,
    slot: number,
    old: Bucket | undefined,
    entries: Int32Array,
    touched: Touched,
  ): void {
    const page = new InnerPage(parent, slot);
    if (old !== undefined) {
      page.stored = old.stored;
      old.dirty = false;
      this.#drop(old);
    }
    this.#adopt(page, parent, slot);
    this.#markDirty(page);
    atLevel(touched.inner, page.level).push(page);
    for (let from = 0; from < entries.length; ) {
      const place = keySlot(entries, from, page.level);
      let to = from + ENTRY_WORDS;
      while (to < entries.length && keySlot(entries, to, page.level) === place) to += ENTRY_WORDS;
      page.frontier.push(SLOTS + place);
      const part = entries.slice(from, to);
      if (part.length > BUCKET_ENTRIES * ENTRY_WORDS) {
        this.#grow(page, place, undefined, part, touched);
      } else {
        const bucket = this.#adopt(new Bucket(page, place), page, place);
        this.#setEntries(bucket, part, part.length / ENTRY_WORDS);
        this.#touch(bucket, touched);
      }
      from = to;
    }
  }

  #adopt<P extends Page>(page: P, parent: InnerPage, slot: number): P {
    parent.children[slot] = page;
    page.lastUsed = this.#clock;
    this.#bytes += page.bytes;
    return page;
  }

  /** Takes a page that is no longer in the tree off the books. */
  #drop(page: Page): void {
    this.#bytes -= page.bytes;
    if (page instanceof Bucket) page.makeRoom(this.#pool, 0);
  }

  #markDirty(page: Page): void {
    if (page.dirty) return;
    page.dirty = true;
    this.#dirty.push(page);
  }

  /** Hashes what was touched, from the deepest level up. */
  #hash({ buckets, inner }: Touched): void {
    for (let level = Math.max(buckets.length, inner.length) - 1; level >= 0; level--) {
      const changedBuckets = buckets[level] ?? [];
      this.#hasher.hashBuckets(changedBuckets);
      for (const bucket of changedBuckets) if (bucket.count === 0) this.#remove(bucket);
      const changedInner = inner[level] ?? [];
      this.#hasher.hashInner(changedInner);
      for (const page of changedInner) {
        page.parent?.setSlot(page.slot, page.kinds[1] as number, page.nodes, HASH_WORDS);
        if (page.kinds[1] === EMPTY) this.#remove(page);
      }
    }
  }

  /** Forgets a page that has become empty; the root page stays. */
  #remove(page: Page): void {
    if (page.parent === undefined) return;
    page.parent.children[page.slot] = undefined;
    page.dirty = false;
    this.#drop(page);
    if (page.stored) this.#removed.push(pageKey(page.parent, page.slot));
  }

  /**
   * Adds all that changed since the last time to a batch.
   * @returns a number to {@link confirm} once the store has the batch
   */
  handOut(batch: WriteBatch): number {
    const number = ++this.#handedOut;
    for (const key of this.#removed) batch.delete('tree', key);
    for (const page of this.#dirty) {
      if (!page.dirty) continue;
      batch.put('tree', pageKey(page.parent, page.slot), encodePage(page));
      page.dirty = false;
      page.stored = true;
      page.handedOut = number;
    }
    this.#removed = [];
    this.#dirty = [];
    return number;
  }

  /** Tells that the store has what was handed out under this number and before. */
  confirm(number: number): void {
    this.#confirmed = Math.max(this.#confirmed, number);
  }

  /** Drops pages that the store has, least recently used first, until a quarter of the bound is free. */
  #evict(): void {
    const bytesByAge = new Map<number, number>();
    this.#forEachDroppable(this.#root, (page) => {
      bytesByAge.set(page.lastUsed, (bytesByAge.get(page.lastUsed) ?? 0) + page.bytes);
      return false;
    });
    let excess = this.#bytes - this.#cacheBytes * 0.75;
    let oldestKept = 0;
    for (const [age, bytes] of [...bytesByAge].sort(([a], [b]) => a - b)) {
      if (excess <= 0) break;
      oldestKept = age + 1;
      excess -= bytes;
    }
    this.#forEachDroppable(this.#root, (page) => page.lastUsed < oldestKept);
    // Where most of it must stay, looking again after every change would be for nothing.
    this.#evictAbove = Math.max(this.#cacheBytes, this.#bytes * 1.25);
  }

  /** Visits pages that may be dropped, lower ones first, and drops those for which the visitor says so. */
  #forEachDroppable(page: InnerPage, visit: (page: Page) => boolean): boolean {
    let childless = true;
    for (let slot = 0; slot < SLOTS; slot++) {
      const child = page.children[slot];
      if (child === undefined) continue;
      const free = child instanceof Bucket || this.#forEachDroppable(child, visit);
      if (free && !child.dirty && child.handedOut <= this.#confirmed && visit(child)) {
        page.children[slot] = undefined;
        this.#drop(child);
      } else {
        childless = false;
      }
    }
    return childless;
  }
}

function atLevel<T>(levels: T[][], level: number): T[] {
  while (levels.length <= level) levels.push([]);
  return levels[level] as T[];
}
