import type { StoreReader } from '../../storage/store.js';
import { ProofError } from '../proof-error.js';
import { ChunkPool } from './chunks.js';
import { EntryPool } from './entry-pool.js';
import type { PageHasher } from './hashing.js';
import { decodePage, describePath, pageKey } from './page-codec.js';
import { PageFlush } from './page-flush.js';
import type { StoredPage } from './page-versions.js';
import { Bucket, EMPTY, InnerPage, type Page, SLOTS } from './pages.js';
import { copyHash, HASH_WORDS, sameHash } from './words.js';

/** Pages asked of the store in one call. */
const PAGES_A_READ = 1024;

/** Where a page belongs. */
export interface PagePlace {
  readonly parent: InnerPage;
  readonly slot: number;
}

/** The pages in memory: what they take, which of them the store lacks, and which may go. */
export class PageCache {
  readonly #store: Pick<StoreReader, 'getMany'>;
  readonly #hasher: PageHasher;
  readonly #cacheBytes: number;
  readonly pool = new EntryPool();
  readonly chunks = new ChunkPool();
  /** Of the memory that pages may take, what something else has for now. */
  reservedBytes = 0;
  /** Stored pages that are no more. */
  #removed: StoredPage[] = [];
  #dirty: Page[] = [];
  #dirtyBytes = 0;
  /** Under way: its pages are encoded before they change again. */
  #flush: PageFlush | undefined;
  /** Counts changes of the tree. */
  #clock = 0;
  #bytes = 0;
  /** After a look that found little to drop. */
  #evictAbove = 0;
  #flushed = 0;
  #confirmed = 0;

  constructor(store: Pick<StoreReader, 'getMany'>, hasher: PageHasher, cacheBytes: number) {
    this.#store = store;
    this.#hasher = hasher;
    this.#cacheBytes = cacheBytes;
  }

  /** Bytes of the pages in memory, but for the root page. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Pages that changed since they were last handed out. */
  get dirtyPages(): number {
    return this.#dirty.length;
  }

  /** About what they take in memory. */
  get dirtyBytes(): number {
    return this.#dirtyBytes;
  }

  /** A change of the tree begins: pages used from now on are younger than all before. */
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

  /**
   * Reads the pages that these places have in the store and not in memory, and checks them against the pages above.
   * @throws ProofError `damaged`
   */
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
      if (encoded === undefined) {
        throw new ProofError(
          'damaged',
          `state tree: the stored page ${describePath([...parent.path(), slot])} is missing`,
        );
      }
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
      throw new ProofError(
        'damaged',
        `state tree: the stored page ${describePath([...parent.path(), slot])} does not have the hash that the page above says`,
      );
    }
  }

  /** Puts a page in its place. */
  adopt<P extends Page>(page: P, parent: InnerPage, slot: number): P {
    parent.children[slot] = page;
    page.lastUsed = this.#clock;
    this.#bytes += page.bytes;
    return page;
  }

  /** Notes that a page is needed. */
  use(page: Page): void {
    page.lastUsed = this.#clock;
  }

  /** Notes that a page is about to be changed. */
  touch(page: Page): void {
    page.lastUsed = this.#clock;
    if (page.dirty) return;
    if (page.pending) this.#flush?.encode(page);
    page.dirty = true;
    this.#dirtyBytes += page.bytes;
    this.#dirty.push(page);
  }

  /** Gives a bucket `count` entries (at most 64) from the start of `entries`. */
  setEntries(bucket: Bucket, entries: Int32Array, count: number): void {
    this.#bytes -= bucket.bytes;
    bucket.setEntries(this.pool, entries, count);
    this.#bytes += bucket.bytes;
  }

  /** Puts an inner page in the place of a bucket, or in an empty one. */
  replace(old: Bucket | undefined, page: InnerPage, parent: InnerPage): void {
    if (old !== undefined) {
      page.stored = old.stored;
      page.writtenAt = old.writtenAt;
      this.#drop(old);
    }
    this.adopt(page, parent, page.slot);
  }

  /** Forgets a page that has become empty; the root page stays. */
  remove(page: Page): void {
    if (page.parent === undefined) return;
    page.parent.children[page.slot] = undefined;
    this.#drop(page);
    if (page.stored) {
      this.#removed.push({ key: pageKey(page.parent, page.slot), writtenAt: page.writtenAt });
    }
  }

  /**
   * Begins to hand out all that changed since the last time, as it is now; an earlier one must be done.
   * @param height of the block whose state the tree has
   * @param overwritten told of the stored pages that will be overwritten or deleted
   */
  beginFlush(height: bigint, overwritten?: (page: StoredPage) => void): PageFlush {
    const pages = this.#dirty.filter(({ dirty }) => dirty);
    this.#flush = new PageFlush(++this.#flushed, height, pages, this.#removed, this.chunks, overwritten);
    this.#removed = [];
    this.#dirty = [];
    this.#dirtyBytes = 0;
    return this.#flush;
  }

  /** Tells that the store has what was handed out under this number and before. */
  confirm(number: number): void {
    this.#confirmed = Math.max(this.#confirmed, number);
  }

  /**
   * Where memory is over its bound: drops pages that the store has, least recently used first, until a quarter is free.
   * @param grace by how much of the bound it may be over before this is done, 0 to 1
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
    // Where most of it must stay, looking again after every change would find nothing.
    this.#evictAbove = this.#bytes > bound ? this.#bytes * 1.25 : 0;
  }

  /** Visits pages that may be dropped, lower ones first, and drops those for which the visitor says so. */
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

  /** Takes a page that is no longer in the tree off the books. */
  #drop(page: Page): void {
    this.#bytes -= page.bytes;
    page.dirty = false;
    page.release(this.pool);
  }
}
