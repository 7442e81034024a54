import { ProofError } from '../proof-error.js';
import type { PageHasher } from './hashing.js';
import type { PageCache } from './page-cache.js';
import { InnerPage, SLOTS } from './pages.js';
import { enterPage, startAt } from './tree-paths.js';
import { placeBelow, type TreeTop } from './tree-top.js';
import { HASH_WORDS } from './words.js';

/**
 * A stored tree of one height with the top of another height's: its root is that of the other height at once, and what is below
 * a place of the top is moved to that height where somebody asks for it.
 *
 * 1. A place that has the same hash in both is as it should be. Any other is not entered before it has been moved: it gets back
 *    what it had ({@link restore}), all its changed keys are set, and it must have the hash that the top says then.
 * 2. Where only one of the two has a split place, both are taken as if they had none: all below it is moved together.
 */
export class GraftedTop {
  readonly #cache: PageCache;
  readonly #root: InnerPage;
  /** As the tree is stored. */
  readonly #own: TreeTop;
  readonly #top: TreeTop;
  readonly #moved = new Set<number>();

  /**
   * @param own of the tree as it is stored, whose pages at the top are all in memory
   * @param top of the other height's tree
   */
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
      // Rule 2.
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

  /** The places that the ways to keys (32 bytes each) lead through, and that are yet to be moved. @throws ProofError `invalid_input` */
  missing(keys: readonly Uint8Array[]): number[] {
    const places = new Set<number>();
    for (const key of keys) {
      const place = this.#placeOf(key);
      if (place !== undefined && !this.#moved.has(place) && !this.#isSame(place)) places.add(place);
    }
    return [...places].sort((a, b) => a - b);
  }

  /** The place where a way leaves the top; undefined where it ends in it. */
  #placeOf(key: Uint8Array): number | undefined {
    const walk = startAt(this.#root, key);
    const s = enterPage(walk);
    const page = s === undefined ? undefined : this.#root.children[s];
    if (s === undefined || !this.#top.isSplit(s) || !(page instanceof InnerPage)) return s;
    walk.page = page;
    const t = enterPage(walk);
    return t === undefined ? undefined : placeBelow(s, t);
  }

  #isSame(place: number): boolean {
    return this.#own.has(place, this.#top.kind(place), this.#top.words, place * HASH_WORDS);
  }

  /** Has missing places be as they are stored: what changed below them is to be set now. */
  restore(places: readonly number[]): void {
    for (const place of places) {
      const [page, slot] = this.#at(place);
      give(page, slot, this.#own, place);
    }
  }

  /** Tells that places have been moved. @throws ProofError `damaged` where one does not have the hash that it should */
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
    throw new ProofError('damaged', `state tree: place ${place} is not there`);
  }
}

/** Gives a place of a page the hash that it has in a top. */
function give(page: InnerPage, slot: number, top: TreeTop, place: number): void {
  page.setSlot(slot, top.kind(place), top.words, place * HASH_WORDS);
}
