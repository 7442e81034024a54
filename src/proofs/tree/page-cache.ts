import { ProofError } from '../proof-error.js';
import { ChunkPool } from './chunks.js';
import { EntryPool } from './entry-pool.js';
import type { PageHasher } from './hashing.js';
import { decodePage, describePath, pageKey } from './page-codec.js';
import { PageFlush } from './page-flush.js';
import type { PageReader, StoredPage } from './page-versions.js';
import { Bucket, EMPTY, InnerPage, type Page, SLOTS } from './pages.js';
import { copyHash, HASH_WORDS, sameHash } from './words.js';

const PAGES_A_READ = 1024;

export interface PagePlace {
  readonly parent: InnerPage;
  readonly slot: number;
}

/** The pages in memory: tracks their size, which ones are unsaved, and which may be evicted. */
export class PageCache {
  readonly #store: PageReader;
  readonly #hasher: PageHasher;
  readonly #cacheBytes: number;
  readonly pool = new EntryPool();
  readonly chunks = new ChunkPool();
  /** Part of the page memory that is reserved for other data. */
  reservedBytes = 0;
  #removed: StoredPage[] = [];
  #dirty: Page[] = [];
  #dirtyBytes = 0;
  /** The flush in progress; its pages are encoded before they change again. */
  #flush: PageFlush | undefined;
  /** Counts changes of the tree. */
  #clock = 0;
  #bytes = 0;
  /** Size below which eviction is skipped, after a scan that found little to evict. */
  #evictAbove = 0;
  #flushed = 0;
  #confirmed = 0;

  constructor(store: PageReader, hasher: PageHasher, cacheBytes: number) {
    this.#store = store;
    this.#hasher = hasher;
    this.#cacheBytes = cacheBytes;
  }

  /** Size of the pages in memory, without the root page. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Approximate memory size of the dirty pages. */
  get dirtyBytes(): number {
    return this.#dirtyBytes;
  }

  /** Begins a change of the tree: pages used from now on count as younger than all others. */
  tick(): void {
    this.#clock++;
  }

  /** Reads the stored root page. @throws ProofError `damaged` */
  loadRoot(): InnerPage {
    const [encoded] = this.#store.getMany('tree', [pageKey(undefined, 0)]);
    if (encoded === undefined) throw new ProofError('damaged', 'state tree: the stored root page is missing');
    const root = decodePage(encoded, undefined, 0, this.pool);
    if (!(root instanceof InnerPage)) {
      throw new ProofError('damaged', 'state tree: the stored root page is of the wrong kind');
    }
    root.markAllChanged();
    this.#hasher.hashInner([root]);
    return root;
  }

  /** Loads pages that are not in memory and checks them against their parents' hashes. @throws ProofError `damaged` */
  load(places: readonly PagePlace[]): void {
    const missing = places.filter(
      ({ parent, slot }) => parent.children[slot] === undefined && parent.slotKind(slot) !== EMPTY,
    );
    for (let from = 0; from < missing.length; from += PAGES_A_READ) {
      this.#loadPortion(missing.slice(from, from + PAGES_A_READ));
    }
  }

  #loadPortion(places: readonly PagePlace[]): void {
    const stored = this.#store.getMany(
      'tree',
      places.map(({ parent, slot }) => pageKey(parent, slot)),
    );
    const expected = new Int32Array(places.length * HASH_WORDS);
    const buckets: Bucket[] = [];
    const inner: InnerPage[] = [];
    for (const [index, { parent, slot }] of places.entries()) {
      const encoded = stored[index];
      if (encoded === undefined) throw damagedPage(parent, slot, 'is missing');
      copyHash(parent.words, parent.nodeAt(SLOTS + slot), expected, index * HASH_WORDS);
      const page = this.adopt(decodePage(encoded, parent, slot, this.pool), parent, slot);
      if (page instanceof Bucket) {
        buckets.push(page);
      } else {
        page.markAllChanged();
        inner.push(page);
      }
    }
    this.#hasher.hashBuckets(buckets);
    this.#hasher.hashInner(inner);
    for (const page of inner) page.riseToParent();
    for (const [index, { parent, slot }] of places.entries()) {
      if (sameHash(parent.words, parent.nodeAt(SLOTS + slot), expected, index * HASH_WORDS)) continue;
      throw damagedPage(parent, slot, 'does not have the hash that the page above says');
    }
  }

  /** Attaches a page to its parent. */
  adopt<P extends Page>(page: P, parent: InnerPage, slot: number): P {
    parent.children[slot] = page;
    page.lastUsed = this.#clock;
    this.#bytes += page.bytes;
    return page;
  }

  use(page: Page): void {
    page.lastUsed = this.#clock;
  }

  /** Marks a page dirty, before it changes. */
  touch(page: Page): void {
    page.lastUsed = this.#clock;
    if (page.dirty) return;
    if (page.pending) this.#flush?.encode(page);
    page.dirty = true;
    this.#dirtyBytes += page.bytes;
    this.#dirty.push(page);
  }

  /** Sets a bucket to the first `count` entries (at most 64) of `entries`. */
  setEntries(bucket: Bucket, entries: Int32Array, count: number): void {
    this.#bytes -= bucket.bytes;
    bucket.setEntries(this.pool, entries, count);
    this.#bytes += bucket.bytes;
  }

  /** Puts an inner page in an empty place, or replaces a bucket with it. */
  replace(old: Bucket | undefined, page: InnerPage, parent: InnerPage): void {
    if (old !== undefined) {
      page.stored = old.stored;
      page.writtenAt = old.writtenAt;
      this.#drop(old);
    }
    this.adopt(page, parent, page.slot);
  }

  /** Removes an empty page; the root page stays. */
  remove(page: Page): void {
    if (page.parent === undefined) return;
    page.parent.children[page.slot] = undefined;
    this.#drop(page);
    if (page.stored) {
      this.#removed.push({ key: pageKey(page.parent, page.slot), writtenAt: page.writtenAt });
    }
  }

  /**
   * Begins a flush of all changes since the last one, in their current state; the last flush must be finished.
   * @param height height of the block whose state the tree has
   * @param overwritten called for each stored page that will be overwritten or deleted
   */
  beginFlush(height: bigint, overwritten?: (page: StoredPage) => void): PageFlush {
    const pages = this.#dirty.filter(({ dirty }) => dirty);
    this.#flush = new PageFlush(++this.#flushed, height, pages, this.#removed, this.chunks, overwritten);
    this.#removed = [];
    this.#dirty = [];
    this.#dirtyBytes = 0;
    return this.#flush;
  }

  /** Confirms that the store has all flushes up to this number. */
  confirm(number: number): void {
    this.#confirmed = Math.max(this.#confirmed, number);
  }

  /**
   * If memory exceeds its limit, evicts stored pages, least recently used first, until a quarter is free.
   * @param grace tolerated excess as a fraction of the limit, 0 to 1
   */
  evict(root: InnerPage, grace: number): void {
    const bound = Math.max(this.#cacheBytes - this.reservedBytes, this.#cacheBytes / 4);
    if (this.#bytes <= Math.max(bound * (1 + grace), this.#evictAbove)) return;
    const bytesByAge = new Map<number, number>();
    this.#forEachDroppable(root, (page) => {
      bytesByAge.set(page.lastUsed, (bytesByAge.get(page.lastUsed) ?? 0) + page.bytes);
      return false;
    });
    let excess = this.#bytes - bound * 0.75;
    let oldestKept = 0;
    for (const [age, bytes] of [...bytesByAge].sort(([a], [b]) => a - b)) {
      if (excess <= 0) break;
      oldestKept = age + 1;
      excess -= bytes;
    }
    this.#forEachDroppable(root, (page) => page.lastUsed < oldestKept);
    // If most pages must stay, scanning again after every change would find nothing.
    this.#evictAbove = this.#bytes > bound ? this.#bytes * 1.25 : 0;
  }

  /** Visits the evictable pages, children first, and evicts those for which `visit` returns true. */
  #forEachDroppable(page: InnerPage, visit: (page: Page) => boolean): boolean {
    let childless = true;
    for (let slot = 0; slot < SLOTS; slot++) {
      const child = page.children[slot];
      if (child === undefined) continue;
      const free = child instanceof Bucket || this.#forEachDroppable(child, visit);
      if (free && !child.dirty && !child.pending && child.flushNumber <= this.#confirmed && visit(child)) {
        page.children[slot] = undefined;
        this.#drop(child);
      } else {
        childless = false;
      }
    }
    return childless;
  }

  /** Releases a page that is no longer in the tree. */
  #drop(page: Page): void {
    this.#bytes -= page.bytes;
    page.dirty = false;
    page.release(this.pool);
  }
}

function damagedPage(parent: InnerPage, slot: number, problem: string): ProofError {
  const where = describePath([...parent.path(), slot]);
  return new ProofError('damaged', `state tree: the stored page ${where} ${problem}`);
}
