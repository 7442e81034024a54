/**
 * Hashes changed pages, one tree level at a time over about a hundred pages: enough to make the call overhead
 * negligible, few enough that the output of one level is still in the CPU cache when the next level reads it.
 *
 * Hot path: guarded by bench/tree.bench.ts.
 */
import type { Hashes } from '../../crypto/crypto.js';
import { type Bucket, EMPTY, INNER, type InnerPage, LEAF, SLOTS } from './pages.js';
import { copyEntry, copyHash, ENTRY_WORDS, HASH_WORDS, keyBit } from './words.js';

/** Maximum number of pairs per hash call. */
const PAIRS = 1024;
/** Number of pages and buckets hashed together. */
const PAGES = 128;
const BUCKETS = 512;
/** A pair of hashes is as long as an entry. */
const PAIR_WORDS = ENTRY_WORDS;
/** Number of levels of an inner page below its root. */
const PAGE_LEVELS = 6;

/** Nodes to hash, each as three numbers: the node, its left child and its right child. */
interface Plan {
  words: Int32Array;
  length: number;
}

export class PageHasher {
  readonly #crypto: Hashes;
  readonly #input = new Int32Array(PAIRS * PAIR_WORDS);
  readonly #output = new Int32Array(PAIRS * HASH_WORDS);
  readonly #inputBytes = new Uint8Array(this.#input.buffer);
  readonly #outputBytes = new Uint8Array(this.#output.buffer);
  /** Nodes of the current batch of buckets; node 0 is the empty one. */
  #nodes = new Int32Array(8192 * HASH_WORDS);
  #nodeCount = 1;
  readonly #byDepth: Plan[] = [];
  readonly #roots = new Int32Array(BUCKETS);
  readonly #targets: Int32Array[] = [];
  readonly #targetsAt = new Int32Array(PAIRS);
  /** Changed nodes of the current level, per page of the batch: one bit per node. */
  readonly #changed = new Int32Array(PAGES);

  constructor(crypto: Hashes) {
    this.#crypto = crypto;
  }

  /** Hashes each bucket and stores the result in its place of the parent page. */
  hashBuckets(buckets: readonly Bucket[]): void {
    for (let from = 0; from < buckets.length; from += BUCKETS) {
      this.#hashBuckets(buckets, from, Math.min(from + BUCKETS, buckets.length));
    }
  }

  #hashBuckets(buckets: readonly Bucket[], from: number, to: number): void {
    this.#nodeCount = 1;
    for (let i = from; i < to; i++) {
      const { words, at, count, level } = buckets[i] as Bucket;
      this.#roots[i - from] = this.#plan(words, at, at + count * ENTRY_WORDS, level * PAGE_LEVELS);
    }
    for (let depth = this.#byDepth.length - 1; depth >= 0; depth--) {
      const plan = this.#byDepth[depth] as Plan;
      if (plan.length > 0) this.#hashPlanned(plan);
      plan.length = 0;
    }
    for (let i = from; i < to; i++) {
      const { parent, slot, count } = buckets[i] as Bucket;
      const kind = count === 0 ? EMPTY : count === 1 ? LEAF : INNER;
      parent?.setSlot(slot, kind, this.#nodes, (this.#roots[i - from] as number) * HASH_WORDS);
    }
  }

  /** Numbers the nodes over the entries `from` to `to` (in words), and plans their hashing. */
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
    while (this.#byDepth.length <= depth) this.#byDepth.push({ words: new Int32Array(96), length: 0 });
    const plan = this.#byDepth[depth] as Plan;
    if (plan.length + 3 > plan.words.length) plan.words = grown(plan.words);
    plan.words[plan.length] = node;
    plan.words[plan.length + 1] = left;
    plan.words[plan.length + 2] = right;
    plan.length += 3;
    return node;
  }

  #allocate(): number {
    const node = this.#nodeCount++;
    if (this.#nodeCount * HASH_WORDS > this.#nodes.length) this.#nodes = grown(this.#nodes);
    return node;
  }

  #hashPlanned({ words: plan, length }: Plan): void {
    const nodes = this.#nodes;
    const input = this.#input;
    const output = this.#output;
    for (let from = 0; from < length; from += PAIRS * 3) {
      const to = Math.min(length, from + PAIRS * 3);
      let at = 0;
      for (let i = from; i < to; i += 3) {
        copyHash(nodes, (plan[i + 1] as number) * HASH_WORDS, input, at);
        copyHash(nodes, (plan[i + 2] as number) * HASH_WORDS, input, at + HASH_WORDS);
        at += PAIR_WORDS;
      }
      this.#hash(at / PAIR_WORDS);
      let read = 0;
      for (let i = from; i < to; i += 3) {
        copyHash(output, read, nodes, (plan[i] as number) * HASH_WORDS);
        read += HASH_WORDS;
      }
    }
  }

  /** Hashes the nodes above each page's changed places. Does not update the parent pages. */
  hashInner(pages: readonly InnerPage[]): void {
    for (let from = 0; from < pages.length; from += PAGES) {
      const to = Math.min(from + PAGES, pages.length);
      for (let i = from; i < to; i++) {
        const page = pages[i] as InnerPage;
        this.#changed[i - from] = pairs(page.changedLow) | (pairs(page.changedHigh) << 16);
        page.changedLow = 0;
        page.changedHigh = 0;
      }
      for (let first = SLOTS / 2; first >= 1; first >>= 1) {
        let count = 0;
        for (let i = from; i < to; i++) {
          const changed = this.#changed[i - from] as number;
          count = this.#rise(pages[i] as InnerPage, first, changed, count);
          this.#changed[i - from] = pairs(changed);
        }
        this.#flush(count);
      }
    }
  }

  /**
   * Updates the changed nodes of one level of a page; pairs that need hashing are added to the batch.
   * @param first first node of the level
   * @param changed bit i for node `first` + i
   * @param count number of pairs in the batch before
   * @returns number of pairs in the batch after
   */
  #rise(page: InnerPage, first: number, changed: number, count: number): number {
    const { words } = page;
    let next = count;
    for (let left = changed; left !== 0; left &= left - 1) {
      const node = first + 31 - Math.clz32(left & -left);
      const below = page.kind(2 * node) + page.kind(2 * node + 1);
      if (below <= LEAF) {
        // The node is empty, or has the hash of the only leaf below it.
        page.setKind(node, below);
        const leaf = 2 * node + (page.kind(2 * node + 1) === LEAF ? 1 : 0);
        copyHash(words, page.nodeAt(leaf), words, page.nodeAt(node));
        continue;
      }
      page.setKind(node, INNER);
      // Children are adjacent, so a pair is one run of words.
      copyEntry(words, page.nodeAt(2 * node), this.#input, next * PAIR_WORDS);
      this.#targets[next] = words;
      this.#targetsAt[next] = page.nodeAt(node);
      next++;
      if (next === PAIRS) {
        this.#flush(next);
        next = 0;
      }
    }
    return next;
  }

  #flush(count: number): void {
    if (count === 0) return;
    this.#hash(count);
    for (let i = 0; i < count; i++) {
      copyHash(this.#output, i * HASH_WORDS, this.#targets[i] as Int32Array, this.#targetsAt[i] as number);
    }
  }

  #hash(count: number): void {
    const input = this.#inputBytes.subarray(0, count * PAIR_WORDS * 4);
    this.#crypto.sha256Pairs(input, this.#outputBytes.subarray(0, count * HASH_WORDS * 4));
  }
}

/** Bit i of the result (16 bits) is set if bit 2i or 2i + 1 of `bits` (32 bits) is. */
function pairs(bits: number): number {
  let x = (bits | (bits >>> 1)) & 0x5555_5555;
  x = (x | (x >>> 1)) & 0x3333_3333;
  x = (x | (x >>> 2)) & 0x0f0f_0f0f;
  x = (x | (x >>> 4)) & 0x00ff_00ff;
  return (x | (x >>> 8)) & 0xffff;
}

function grown(words: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(words.length * 2);
  larger.set(words);
  return larger;
}
