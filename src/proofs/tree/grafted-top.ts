import { ProofError } from '../proof-error.js';
import type { PageHasher } from './hashing.js';
import type { PageCache } from './page-cache.js';
import { InnerPage, SLOTS } from './pages.js';
import { enterPage, startAt } from './tree-paths.js';
import { placeBelow, type TreeTop } from './tree-top.js';
import { HASH_WORDS } from './words.js';

/**
 * A stored tree of one height with the top of another height's tree. It has the other height's root at once; the
 * subtree below a place of the top is moved to that height on demand.
 *
 * 1. A place with the same hash in both tops is up to date. Any other place must be moved before use: its stored hash
 *    is put back ({@link restore}), all changed keys below it are set, and its hash must then be the one in the other
 *    height's top.
 * 2. If a place is split in only one of the tops, both treat it as not split: everything below it is moved together.
 */
export class GraftedTop {
  readonly #cache: PageCache;
  readonly #root: InnerPage;
  /** Top of the tree as stored. */
  readonly #own: TreeTop;
  readonly #top: TreeTop;
  readonly #moved = new Set<number>();

  /** @param own top of the tree as stored, whose pages are all in memory @param top that of the other height's tree */
  constructor(cache: PageCache, hasher: PageHasher, root: InnerPage, own: TreeTop, top: TreeTop) {
    this.#cache = cache;
    this.#root = root;
    this.#own = own;
    this.#top = top;
    const pages: InnerPage[] = [];
    cache.touch(root);
    for (let s = 0; s < SLOTS; s++) {
      const page = root.children[s];
      if (own.isSplit(s) && top.isSplit(s) && page instanceof InnerPage) {
        cache.touch(page);
        for (let t = 0; t < SLOTS; t++) give(page, t, top, placeBelow(s, t));
        page.markAllChanged();
        pages.push(page);
        continue;
      }
      // Rule 2: a place that is split in only one top is treated as not split in both.
      if (own.isSplit(s)) own.set(s, root.slotKind(s), root.words, root.nodeAt(SLOTS + s));
      if (top.isSplit(s)) this.#join(s, hasher);
      give(root, s, top, s);
    }
    hasher.hashInner(pages);
    for (const page of pages) page.riseToParent();
    root.markAllChanged();
    hasher.hashInner([root]);
  }

  #join(s: number, hasher: PageHasher): void {
    const page = new InnerPage(this.#cache.pool, undefined, 0);
    for (let t = 0; t < SLOTS; t++) give(page, t, this.#top, placeBelow(s, t));
    page.markAllChanged();
    hasher.hashInner([page]);
    this.#top.set(s, page.kind(1), page.words, page.nodeAt(1));
    page.release(this.#cache.pool);
  }

  /** Places on the paths to keys (32 bytes each) that have not been moved yet. @throws ProofError `invalid_input` */
  missing(keys: readonly Uint8Array[]): number[] {
    const places = new Set<number>();
    for (const key of keys) {
      const place = this.#placeOf(key);
      if (place === undefined || this.#moved.has(place)) continue;
      const isSame = this.#own.has(place, this.#top.kind(place), this.#top.words, place * HASH_WORDS);
      if (!isSame) places.add(place);
    }
    return [...places].sort((a, b) => a - b);
  }

  /** The place where a path leaves the top; undefined if the path ends in it. */
  #placeOf(key: Uint8Array): number | undefined {
    const walk = startAt(this.#root, key);
    const s = enterPage(walk);
    const page = s === undefined ? undefined : this.#root.children[s];
    if (s === undefined || !this.#top.isSplit(s) || !(page instanceof InnerPage)) return s;
    walk.page = page;
    const t = enterPage(walk);
    return t === undefined ? undefined : placeBelow(s, t);
  }

  /** Puts back the stored hashes of missing places; the caller must then set the changed keys below them. */
  restore(places: readonly number[]): void {
    for (const place of places) {
      const [page, slot] = this.#at(place);
      give(page, slot, this.#own, place);
    }
  }

  /** Records that places have been moved. @throws ProofError `damaged` if one does not have the expected hash */
  moved(places: readonly number[]): void {
    for (const place of places) {
      const [page, slot] = this.#at(place);
      if (!this.#top.has(place, page.slotKind(slot), page.words, page.nodeAt(SLOTS + slot))) {
        throw new ProofError('damaged', `state tree: place ${place} does not have the hash of its height`);
      }
      this.#moved.add(place);
    }
  }

  #at(place: number): readonly [InnerPage, number] {
    if (place < SLOTS) return [this.#root, place];
    const page = this.#root.children[Math.floor((place - SLOTS) / SLOTS)];
    if (page instanceof InnerPage) return [page, place % SLOTS];
    throw new ProofError('damaged', `state tree: place ${place} is missing`);
  }
}

/** Sets the hash and kind of a page's place to those of a place in a top. */
function give(page: InnerPage, slot: number, top: TreeTop, place: number): void {
  page.setSlot(slot, top.kind(place), top.words, place * HASH_WORDS);
}
