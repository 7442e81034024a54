/**
 * Memory for the entries of buckets. There are hundreds of thousands of small ones that come and go with every block; arrays
 * of their own would cost more than what they hold, in memory and in garbage collection.
 *
 * Blocks are cut from chunks, in few sizes; a freed block serves the next of its size.
 */
import { ENTRY_WORDS } from './words.js';

const CHUNK_WORDS = 64 * 1024;
/** Up to here each count of entries has blocks of its size, beyond it every multiple. */
const FINE_ENTRIES = 8;

/** A block of entries: from word `at` of `words` on. */
export interface EntryBlock {
  words: Int32Array;
  at: number;
}

/** How many entries a block for `count` entries has room for. */
export function blockEntries(count: number): number {
  return count <= FINE_ENTRIES ? count : Math.ceil(count / FINE_ENTRIES) * FINE_ENTRIES;
}

export class EntryPool {
  /** Freed blocks by the entries they have room for. */
  readonly #free = new Map<number, { readonly words: Int32Array[]; readonly at: number[] }>();
  #chunk = new Int32Array(0);
  #used = 0;

  /** Gives `block` a place for `count` entries, 1 to 64. */
  allocate(block: EntryBlock, count: number): void {
    const room = blockEntries(count);
    const free = this.#free.get(room);
    const words = free?.words.pop();
    const at = free?.at.pop();
    if (words !== undefined && at !== undefined) {
      block.words = words;
      block.at = at;
      return;
    }
    if (this.#used + room * ENTRY_WORDS > this.#chunk.length) {
      this.#chunk = new Int32Array(CHUNK_WORDS);
      this.#used = 0;
    }
    block.words = this.#chunk;
    block.at = this.#used;
    this.#used += room * ENTRY_WORDS;
  }

  /** Takes back the place of `block`, which had room for `count` entries. */
  release(block: EntryBlock, count: number): void {
    if (count === 0) return;
    const room = blockEntries(count);
    let free = this.#free.get(room);
    if (free === undefined) {
      free = { words: [], at: [] };
      this.#free.set(room, free);
    }
    free.words.push(block.words);
    free.at.push(block.at);
  }
}
