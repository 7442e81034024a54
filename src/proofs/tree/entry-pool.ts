/**
 * Memory for the entries of buckets. Every block creates and frees many of the hundreds of thousands of small
 * buckets; separate arrays would cost more than their contents, in memory and in garbage collection.
 *
 * Blocks are cut from chunks, in a few sizes; a freed block is reused for the next one of its size.
 */
import { ENTRY_WORDS } from './words.js';

const CHUNK_WORDS = 64 * 1024;
/** Blocks for up to this many entries have the exact size; larger ones are rounded up to a multiple of it. */
const FINE_ENTRIES = 8;

/** A block of entries, starting at word `at` of `words`. */
export interface EntryBlock {
  words: Int32Array;
  at: number;
}

/** Capacity, in entries, of a block for `count` entries. */
export function blockEntries(count: number): number {
  return count <= FINE_ENTRIES ? count : Math.ceil(count / FINE_ENTRIES) * FINE_ENTRIES;
}

export class EntryPool {
  /** Freed blocks by capacity in entries. */
  readonly #free = new Map<number, { readonly words: Int32Array[]; readonly at: number[] }>();
  #chunk = new Int32Array(0);
  #used = 0;

  /** Gives `block` room for `count` entries, 1 to 64. */
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

  /** Frees the room of `block`, which was allocated for `count` entries. */
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
