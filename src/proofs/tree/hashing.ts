/**
 * Hashes changed pages, one level of the tree at a time over all pages, so that each level is a few large batches.
 *
 * Hot path: guarded by bench/tree.bench.ts.
 */
import type { Crypto } from '../../crypto/crypto.js';
import { type Bucket, EMPTY, INNER, type InnerPage, LEAF, SLOTS } from './pages.js';
import { copyHash, ENTRY_WORDS, HASH_WORDS, keyBit } from './words.js';

/** Pairs hashed in one call: enough to make the call's cost vanish, few enough to stay in the processor's cache. */
const PAIRS = 1024;
/** Buckets whose nodes are worked out together; bounds the memory for a large genesis. */
const BUCKETS = 8192;
const PAIR_WORDS = 2 * HASH_WORDS;
/** Levels of one inner page below its root. */
const PAGE_LEVELS = 6;

export class PageHasher {
  readonly #crypto: Pick<Crypto, 'sha256Pairs'>;
  readonly #input = new Int32Array(PAIRS * PAIR_WORDS);
  readonly #inputBytes = new Uint8Array(this.#input.buffer);
  /** Nodes of buckets being worked out; node 0 is the empty one. */
  #nodes = new Int32Array(1024 * HASH_WORDS);
  #nodeCount = 1;
  /** Per depth of the tree: node, left child, right child, of each node to be hashed. */
  readonly #byDepth: number[][] = [];
  /** The inner pages and nodes whose hashes are next in the batch. */
  readonly #pages: InnerPage[] = [];
  readonly #pageNodes: number[] = [];

  constructor(crypto: Pick<Crypto, 'sha256Pairs'>) {
    this.#crypto = crypto;
  }

  /** Works out each bucket's hash and puts it in its place of the page above. */
  hashBuckets(buckets: readonly Bucket[]): void {
    for (let from = 0; from < buckets.length; from += BUCKETS) {
      this.#hashBuckets(buckets.slice(from, from + BUCKETS));
    }
  }

  #hashBuckets(buckets: readonly Bucket[]): void {
    this.#nodeCount = 1;
    const roots = buckets.map(({ words, at, count, level }) =>
      this.#plan(words, at, at + count * ENTRY_WORDS, level * PAGE_LEVELS),
    );
    for (let depth = this.#byDepth.length - 1; depth >= 0; depth--) {
      const plan = this.#byDepth[depth] as number[];
      this.#hashPlanned(plan);
      plan.length = 0;
    }
    for (const [index, { parent, slot, count }] of buckets.entries()) {
      const kind = count === 0 ? EMPTY : count === 1 ? LEAF : INNER;
      parent?.setSlot(slot, kind, this.#nodes, (roots[index] as number) * HASH_WORDS);
    }
  }

  /** Numbers the nodes over the entries `from` to `to` (in words), and notes those to be hashed. */
  #plan(entries: Int32Array, from: number, to: number, depth: number): number {
    if (from === to) return 0;
    const node = this.#allocate();
    if (to - from === ENTRY_WORDS) {
      copyHash(entries, from + HASH_WORDS, this.#nodes, node * HASH_WORDS);
      return node;
    }
    let middle = from;
    while (middle < to && keyBit(entries, middle, depth) === 0) middle += ENTRY_WORDS;
    const left = this.#plan(entries, from, middle, depth + 1);
    const right = this.#plan(entries, middle, to, depth + 1);
    while (this.#byDepth.length <= depth) this.#byDepth.push([]);
    this.#byDepth[depth]?.push(node, left, right);
    return node;
  }

  #allocate(): number {
    const node = this.#nodeCount++;
    if (this.#nodeCount * HASH_WORDS > this.#nodes.length) {
      const grown = new Int32Array(this.#nodes.length * 2);
      grown.set(this.#nodes);
      this.#nodes = grown;
    }
    return node;
  }

  #hashPlanned(plan: readonly number[]): void {
    const nodes = this.#nodes;
    const input = this.#input;
    for (let from = 0; from < plan.length; from += PAIRS * 3) {
      const to = Math.min(plan.length, from + PAIRS * 3);
      let at = 0;
      for (let i = from; i < to; i += 3) {
        copyHash(nodes, (plan[i + 1] as number) * HASH_WORDS, input, at);
        copyHash(nodes, (plan[i + 2] as number) * HASH_WORDS, input, at + HASH_WORDS);
        at += PAIR_WORDS;
      }
      const hashes = this.#hash(at);
      let read = 0;
      for (let i = from; i < to; i += 3) {
        copyHash(hashes, read, nodes, (plan[i] as number) * HASH_WORDS);
        read += HASH_WORDS;
      }
    }
  }

  /**
   * Works out the nodes above each page's `frontier` of changed places and clears it. The pages' roots are not put in the
   * pages above.
   */
  hashInner(pages: readonly InnerPage[]): void {
    for (let level = 0; level < PAGE_LEVELS; level++) {
      for (const page of pages) this.#rise(page);
      this.#flush();
    }
    for (const page of pages) page.frontier = [];
  }

  /** Moves a page's frontier one level up; what needs hashing is put in the batch. */
  #rise(page: InnerPage): void {
    const { frontier, kinds, nodes } = page;
    let count = 0;
    let last = 0;
    for (let i = 0; i < frontier.length; i++) {
      const node = (frontier[i] as number) >> 1;
      if (node === last) continue;
      last = node;
      frontier[count++] = node;
      const left = kinds[2 * node] as number;
      const right = kinds[2 * node + 1] as number;
      if (left + right <= LEAF) {
        // Empty, or a single leaf, which stands for all the nodes above it.
        kinds[node] = left + right;
        copyHash(nodes, (2 * node + (right === LEAF ? 1 : 0)) * HASH_WORDS, nodes, node * HASH_WORDS);
      } else {
        kinds[node] = INNER;
        this.#pages.push(page);
        this.#pageNodes.push(node);
        if (this.#pages.length === PAIRS) this.#flush();
      }
    }
    frontier.length = count;
  }

  #flush(): void {
    const pages = this.#pages;
    const input = this.#input;
    for (let i = 0; i < pages.length; i++) {
      // Children lie side by side, so a pair is one run of words.
      const { nodes } = pages[i] as InnerPage;
      const from = 2 * (this.#pageNodes[i] as number) * HASH_WORDS;
      copyHash(nodes, from, input, i * PAIR_WORDS);
      copyHash(nodes, from + HASH_WORDS, input, i * PAIR_WORDS + HASH_WORDS);
    }
    if (pages.length > 0) {
      const hashes = this.#hash(pages.length * PAIR_WORDS);
      for (let i = 0; i < pages.length; i++) {
        const { nodes } = pages[i] as InnerPage;
        copyHash(hashes, i * HASH_WORDS, nodes, (this.#pageNodes[i] as number) * HASH_WORDS);
      }
    }
    pages.length = 0;
    this.#pageNodes.length = 0;
  }

  #hash(words: number): Int32Array {
    const hashes = this.#crypto.sha256Pairs(this.#inputBytes.subarray(0, words * 4));
    const aligned = hashes.byteOffset % 4 === 0 ? hashes : hashes.slice();
    return new Int32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
  }
}

/** Marks all places of a page as changed, so that all nodes above are hashed. */
export function wholeFrontier(): number[] {
  return Array.from({ length: SLOTS }, (_, slot) => SLOTS + slot);
}
