/**
 * The top of a state tree: the hashes at the places of its root page and of the inner pages right below it. All
 * proofs share them, and they are few enough to be kept for every height (top-records.ts).
 *
 * Places are numbered: 0 to 63 are those of the root page, 64 + 64 × s + t is place t of the page in place s. A place
 * s with an inner page is split; any other place of the root page has a hash and no places below.
 *
 * A top is encoded as a list of changes to the previous top, or to the empty one. Each change is nine little-endian
 * words: number of the place + 65536 × kind, then the hash. Splitting a place empties all its places.
 */
import { EMPTY, INNER, InnerPage, SLOTS } from './pages.js';
import { copyHash, HASH_WORDS, sameHash, wordsOfBytes } from './words.js';

const TOP_PLACES = SLOTS + SLOTS * SLOTS;

/** Kind of a split place, in addition to the kinds of nodes (pages.ts). */
const SPLIT = 3;
const CHANGE_WORDS = 1 + HASH_WORDS;

/** The number of place t of the inner page in place s of the root page. */
export function placeBelow(s: number, t: number): number {
  return SLOTS + s * SLOTS + t;
}

/** Builds a list of changes of a top. */
export class TopChanges {
  #words = new Int32Array(64 * CHANGE_WORDS);
  #length = 0;

  split(place: number): void {
    this.#words[this.#next()] = place | (SPLIT << 16);
  }

  /** @param at offset of the hash in `from` */
  set(place: number, kind: number, from: Int32Array, at: number): void {
    const next = this.#next();
    this.#words[next] = place | (kind << 16);
    copyHash(from, at, this.#words, next + 1);
  }

  encode(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#words.slice(0, this.#length).buffer);
  }

  #next(): number {
    const at = this.#length;
    this.#length += CHANGE_WORDS;
    if (this.#length > this.#words.length) {
      const larger = new Int32Array(this.#words.length * 2);
      larger.set(this.#words);
      this.#words = larger;
    }
    return at;
  }
}

export class TreeTop {
  readonly #kinds = new Uint8Array(TOP_PLACES);
  /** The hash of place p starts at word 8 × p. */
  readonly words = new Int32Array(TOP_PLACES * HASH_WORDS);

  isSplit(place: number): boolean {
    return this.#kinds[place] === SPLIT;
  }

  /** EMPTY, LEAF or INNER (pages.ts). */
  kind(place: number): number {
    return this.#kinds[place] as number;
  }

  /** Sets the kind and hash of a place, which is no longer split. @param at offset of the hash in `from` */
  set(place: number, kind: number, from: Int32Array, at: number): void {
    this.#kinds[place] = kind;
    copyHash(from, at, this.words, place * HASH_WORDS);
  }

  has(place: number, kind: number, words: Int32Array, at: number): boolean {
    return this.#kinds[place] === kind && sameHash(this.words, place * HASH_WORDS, words, at);
  }

  /** @returns false if the bytes are not encoded changes; some changes may nevertheless have been applied */
  apply(encoded: Uint8Array): boolean {
    if (encoded.length % (CHANGE_WORDS * 4) !== 0) return false;
    const changes = wordsOfBytes(encoded);
    for (let at = 0; at < changes.length; at += CHANGE_WORDS) {
      const place = (changes[at] as number) & 0xffff;
      const kind = (changes[at] as number) >>> 16;
      if (place >= TOP_PLACES) return false;
      if (kind <= INNER) this.set(place, kind, changes, at + 1);
      else if (kind === SPLIT && place < SLOTS) this.#split(place);
      else return false;
    }
    return true;
  }

  #split(place: number): void {
    this.#kinds[place] = SPLIT;
    this.#kinds.fill(EMPTY, placeBelow(place, 0), placeBelow(place, SLOTS));
    this.words.fill(0, placeBelow(place, 0) * HASH_WORDS, placeBelow(place, SLOTS) * HASH_WORDS);
  }

  /** Encodes the top as changes of the empty top. */
  encode(): Uint8Array<ArrayBuffer> {
    const changes = new TopChanges();
    for (let s = 0; s < SLOTS; s++) {
      if (!this.isSplit(s)) {
        if (this.kind(s) !== EMPTY) changes.set(s, this.kind(s), this.words, s * HASH_WORDS);
        continue;
      }
      changes.split(s);
      for (let place = placeBelow(s, 0); place < placeBelow(s, SLOTS); place++) {
        if (this.kind(place) !== EMPTY) changes.set(place, this.kind(place), this.words, place * HASH_WORDS);
      }
    }
    return changes.encode();
  }
}

/** Collects the changes that one `applySorted` makes to the top of a tree. */
export class ChangedTop {
  /** Changed places of pages of the top, recorded before hashing clears a page's change bits. */
  readonly #changed: { readonly page: InnerPage; readonly low: number; readonly high: number }[] = [];
  readonly #splits = new Set<InnerPage>();

  /** Records an inner page that replaced a bucket. */
  noteSplit(page: InnerPage): void {
    if (page.level === 1) this.#splits.add(page);
  }

  /** Records pages of the top whose places are about to be hashed. */
  note(pages: readonly InnerPage[]): void {
    for (const page of pages) this.#changed.push({ page, low: page.changedLow, high: page.changedHigh });
  }

  /** @param root after everything has been hashed @returns encoded changes (tree-top.ts) */
  encode(root: InnerPage): Uint8Array<ArrayBuffer> {
    const changes = new TopChanges();
    for (const { page, low, high } of this.#changed) {
      if (page === root) {
        forEachPlace(low, high, (slot) => {
          if (!(root.children[slot] instanceof InnerPage)) add(changes, slot, root, slot);
        });
      } else if (root.children[page.slot] === page) {
        if (this.#splits.has(page)) addSplit(changes, page);
        else forEachPlace(low, high, (slot) => add(changes, placeBelow(page.slot, slot), page, slot));
      }
    }
    return changes.encode();
  }
}

/** Encodes the whole top of a tree as changes of the empty top. All its pages must be in memory. */
export function encodeTop(root: InnerPage): Uint8Array<ArrayBuffer> {
  const changes = new TopChanges();
  for (const [slot, page] of root.children.entries()) {
    if (page instanceof InnerPage) addSplit(changes, page);
    else if (root.slotKind(slot) !== EMPTY) add(changes, slot, root, slot);
  }
  return changes.encode();
}

function addSplit(changes: TopChanges, page: InnerPage): void {
  changes.split(page.slot);
  for (let slot = 0; slot < SLOTS; slot++) {
    if (page.slotKind(slot) !== EMPTY) add(changes, placeBelow(page.slot, slot), page, slot);
  }
}

function add(changes: TopChanges, place: number, page: InnerPage, slot: number): void {
  changes.set(place, page.slotKind(slot), page.words, page.nodeAt(SLOTS + slot));
}

function forEachPlace(low: number, high: number, visit: (slot: number) => void): void {
  for (let left = low; left !== 0; left &= left - 1) visit(31 - Math.clz32(left & -left));
  for (let left = high; left !== 0; left &= left - 1) visit(63 - Math.clz32(left & -left));
}
