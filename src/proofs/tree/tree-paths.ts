/**
 * Paths from the tree's root to places in it, with their siblings. Proofs are built from them.
 *
 * Hot path: guarded by bench/tree.bench.ts.
 */
import { concatBytes } from '../../base/concat-bytes.js';
import type { Sha256 } from '../../crypto/crypto.js';
import { ProofError } from '../proof-error.js';
import type { PageCache, PagePlace } from './page-cache.js';
import { nodeHash } from './page-codec.js';
import { type Bucket, EMPTY, InnerPage, LEAF, SLOTS } from './pages.js';
import { bytesOfWords, ENTRY_WORDS, HASH_WORDS, keyBit, wordsOfBytes } from './words.js';

/** The siblings along a path, and the leaf at its end. */
export interface TreePath {
  /** Number of inner nodes above the place. */
  readonly depth: number;
  /** ⌈depth/8⌉ bytes: bit i (byte i >> 3, value 1 << (i & 7)) is set if the sibling at depth i + 1 is not empty. */
  readonly bitmap: Uint8Array<ArrayBuffer>;
  /** The siblings that are not empty, 32 bytes each, from the deepest up. */
  readonly siblings: readonly Uint8Array<ArrayBuffer>[];
  /** The leaf at the place: its key and its hash, 32 bytes each; absent if the place is empty. */
  readonly leaf?: { readonly key: Uint8Array<ArrayBuffer>; readonly hash: Uint8Array<ArrayBuffer> };
}

/** A walk down a path, which may have to wait for pages. */
export interface Walk {
  readonly key: Int32Array;
  page: InnerPage;
  /** The place of `page` where the walk continues, once known. */
  slot: number | undefined;
  depth: number;
  /** True below a node that is a single leaf: the walk then only looks for the leaf, and the depth stays the same. */
  single: boolean;
  /** From the highest down. */
  readonly siblings: Uint8Array<ArrayBuffer>[];
  readonly bitmap: number[];
  leaf: TreePath['leaf'];
}

/** Walks paths down a tree; loads the pages on them in batches. */
export class PathFinder {
  readonly #crypto: Sha256;
  readonly #cache: PageCache;
  readonly #root: InnerPage;

  constructor(crypto: Sha256, cache: PageCache, root: InnerPage) {
    this.#crypto = crypto;
    this.#cache = cache;
    this.#root = root;
  }

  /** The paths to the places of keys (32 bytes each), present or not. @throws ProofError `invalid_input`, `damaged` */
  toKeys(keys: readonly Uint8Array[]): TreePath[] {
    const walks = keys.map((key) => startAt(this.#root, key));
    for (let waiting = walks; waiting.length > 0; ) {
      const missing = new Map<InnerPage, Set<number>>();
      const rest: Walk[] = [];
      for (const walk of waiting) {
        const slot = this.#walk(walk);
        if (slot === undefined) continue;
        walk.slot = slot;
        rest.push(walk);
        const slots = missing.get(walk.page);
        if (slots === undefined) missing.set(walk.page, new Set([slot]));
        else slots.add(slot);
      }
      const places: PagePlace[] = [];
      for (const [parent, slots] of missing) for (const slot of slots) places.push({ parent, slot });
      this.#cache.load(places);
      waiting = rest;
    }
    return walks.map(pathOf);
  }

  /** Walks through pages in memory. @returns the place of `walk.page` whose page must be loaded, if any */
  #walk(walk: Walk): number | undefined {
    for (;;) {
      const slot = walk.slot ?? enterPage(walk);
      if (slot === undefined) return undefined;
      const child = walk.page.children[slot];
      if (child === undefined) return slot;
      walk.slot = undefined;
      this.#cache.use(child);
      if (child instanceof InnerPage) {
        walk.page = child;
        continue;
      }
      this.#enterBucket(walk, child);
      return undefined;
    }
  }

  #enterBucket(walk: Walk, { words, at, count }: Bucket): void {
    let from = at;
    let to = at + count * ENTRY_WORDS;
    while (to - from > ENTRY_WORDS) {
      let middle = from;
      while (middle < to && keyBit(words, middle, walk.depth) === 0) middle += ENTRY_WORDS;
      const right = keyBit(walk.key, 0, walk.depth) === 1;
      const [otherFrom, otherTo] = right ? [from, middle] : [middle, to];
      if (right) from = middle;
      else to = middle;
      const depth = walk.depth + 1;
      const isEmpty = otherFrom === otherTo;
      descend(walk, isEmpty ? undefined : subtreeHash(this.#crypto, words, otherFrom, otherTo, depth));
    }
    if (from === to) return;
    walk.leaf = {
      key: bytesOfWords(words, from, HASH_WORDS),
      hash: bytesOfWords(words, from + HASH_WORDS, HASH_WORDS),
    };
  }
}

/** Starts a walk at the root. @throws ProofError `invalid_input` */
export function startAt(root: InnerPage, key: Uint8Array): Walk {
  if (key.length !== HASH_WORDS * 4) {
    throw new ProofError('invalid_input', `state key: expected 32 bytes, got ${key.length}`);
  }
  const words = wordsOfBytes(key);
  return {
    key: words,
    page: root,
    slot: undefined,
    depth: 0,
    single: false,
    siblings: [],
    bitmap: [],
    leaf: undefined,
  };
}

/** Walks down the nodes of an inner page. @returns the place of the next page, or undefined if the walk ends */
export function enterPage(walk: Walk): number | undefined {
  const { page } = walk;
  let node = 1;
  for (;;) {
    if (!walk.single) {
      if (page.kind(node) === EMPTY) return undefined;
      walk.single = page.kind(node) === LEAF;
    }
    if (node >= SLOTS) return node - SLOTS;
    if (walk.single) {
      node = page.kind(2 * node) === EMPTY ? 2 * node + 1 : 2 * node;
    } else {
      node = 2 * node + keyBit(walk.key, 0, walk.depth);
      const sibling = node ^ 1;
      descend(walk, page.kind(sibling) === EMPTY ? undefined : nodeHash(page, sibling));
    }
  }
}

function descend(walk: Walk, sibling: Uint8Array<ArrayBuffer> | undefined): void {
  const byte = walk.depth >> 3;
  if (walk.bitmap.length === byte) walk.bitmap.push(0);
  if (sibling !== undefined) {
    walk.siblings.push(sibling);
    walk.bitmap[byte] = (walk.bitmap[byte] as number) | (1 << (walk.depth & 7));
  }
  walk.depth++;
}

function pathOf({ depth, bitmap, siblings, leaf }: Walk): TreePath {
  return {
    depth,
    bitmap: Uint8Array.from(bitmap),
    siblings: siblings.reverse(),
    ...(leaf === undefined ? {} : { leaf }),
  };
}

/** The hash over the entries `from` to `to` (in words), which share their first `depth` bits. */
function subtreeHash(
  crypto: Sha256,
  words: Int32Array,
  from: number,
  to: number,
  depth: number,
): Uint8Array<ArrayBuffer> {
  if (from === to) return new Uint8Array(HASH_WORDS * 4);
  if (to - from === ENTRY_WORDS) return bytesOfWords(words, from + HASH_WORDS, HASH_WORDS);
  let middle = from;
  while (middle < to && keyBit(words, middle, depth) === 0) middle += ENTRY_WORDS;
  const left = subtreeHash(crypto, words, from, middle, depth + 1);
  const right = subtreeHash(crypto, words, middle, to, depth + 1);
  return new Uint8Array(crypto.sha256(concatBytes([left, right])));
}
