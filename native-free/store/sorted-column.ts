import sortedBTree from 'sorted-btree';
import type { Entry, ScanRange } from '../../src/storage/store.js';

/**
 * Keys and short values are latin1 strings: one byte per character, ordered like the bytes, in a fifth of the memory of
 * small typed arrays. Long values stay bytes, outside of the JavaScript heap.
 */
type Packed = string | Uint8Array;
const LONG_VALUE_BYTES = 1024;

/** Entries that a scan reads directly from the live tree; a longer scan continues in a copy-on-write clone. */
const FIRST_PORTION = 64;

type Tree = sortedBTree.default<string, Packed>;

/** One column of the memory store: an ordered map of byte strings. */
export class SortedColumn {
  readonly #tree: Tree;

  constructor(tree?: Tree) {
    this.#tree = tree ?? new sortedBTree.default<string, Packed>(undefined, compareStrings);
  }

  get(key: Uint8Array): Uint8Array | undefined {
    const packed = this.#tree.get(packKey(key));
    return packed === undefined ? undefined : unpack(packed);
  }

  /** Sets the value of a key, copying both. Returns whether the key was absent before. */
  put(key: Uint8Array, value: Uint8Array): boolean {
    return this.#tree.set(packKey(key), packValue(value));
  }

  /** Removes a key. Returns the length of the value removed, or undefined when there was none. */
  delete(key: Uint8Array): number | undefined {
    const packedKey = packKey(key);
    const value = this.#tree.get(packedKey);
    if (value === undefined) return undefined;
    this.#tree.delete(packedKey);
    return value.length;
  }

  /** A snapshot of the column, unaffected by later writes. Takes constant time. */
  snapshot(): SortedColumn {
    return new SortedColumn(this.#tree.clone());
  }

  /** The entries of a range as they were when the first was read. */
  *scan(range: ScanRange): IterableIterator<Entry> {
    const limit = range.limit ?? Number.POSITIVE_INFINITY;
    const first = collect(this.#tree, packRange(range), Math.min(limit, FIRST_PORTION));
    if (first.length < FIRST_PORTION || first.length === limit) {
      for (const [key, value] of first) yield [unpack(key), unpack(value)];
      return;
    }
    // Cloned before the first yield, while the tree still matches the collected entries.
    const frozen = this.#tree.clone();
    let given = 0;
    for (const [key, value] of iterate(frozen, packRange(range))) {
      if (given++ >= limit) return;
      yield [unpack(key), unpack(value)];
    }
  }
}

interface PackedRange {
  readonly gte: string | undefined;
  readonly lt: string | undefined;
  readonly reverse: boolean;
}

function packRange(range: ScanRange): PackedRange {
  return {
    gte: range.gte === undefined ? undefined : packKey(range.gte),
    lt: range.lt === undefined ? undefined : packKey(range.lt),
    reverse: range.reverse === true,
  };
}

function collect(tree: Tree, range: PackedRange, limit: number): [string, Packed][] {
  const entries: [string, Packed][] = [];
  if (limit <= 0) return entries;
  for (const entry of iterate(tree, range)) {
    entries.push(entry);
    if (entries.length >= limit) break;
  }
  return entries;
}

function* iterate(tree: Tree, { gte, lt, reverse }: PackedRange): IterableIterator<[string, Packed]> {
  if (reverse) {
    for (const entry of tree.entriesReversed(lt, undefined, true)) {
      if (gte !== undefined && entry[0] < gte) return;
      yield entry;
    }
  } else {
    for (const entry of tree.entries(gte)) {
      if (lt !== undefined && entry[0] >= lt) return;
      yield entry;
    }
  }
}

function compareStrings(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function packKey(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('latin1');
}

function packValue(bytes: Uint8Array): Packed {
  return bytes.length >= LONG_VALUE_BYTES ? Uint8Array.from(bytes) : packKey(bytes);
}

function unpack(packed: Packed): Uint8Array {
  if (typeof packed !== 'string') return packed.slice();
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
  return bytes;
}

/** A view of the same bytes as a Buffer, without copying. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
