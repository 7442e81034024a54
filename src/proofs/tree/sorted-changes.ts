import { ProofError } from '../proof-error.js';
import type { LeafHasher } from './leaf-hashing.js';
import type { Bucket } from './pages.js';
import { compareKeys, copyEntry, copyHash, ENTRY_WORDS, HASH_WORDS } from './words.js';

const KEY_BYTES = 32;

/** A key (32 bytes) with its new value, or undefined if it is deleted. */
export interface TreeChange {
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

/**
 * Changes in the form that the tree accepts: ascending by key, each key once. The same form receives the entries that
 * changes replace; it then begins with the keys of the changes and without values.
 */
export interface SortedChanges {
  readonly count: number;
  /** Entries (words.ts); the leaf hash is zero if the key is deleted. */
  readonly entries: Int32Array;
  /** 1 if the key has a value, 0 if it is deleted. */
  readonly present: Uint8Array;
}

/**
 * Collects changes with the hashes of their leaves. A hasher serves one list at a time.
 *
 * Hot path: guarded by bench/tree.bench.ts.
 */
export class ChangeList {
  readonly #leaves: LeafHasher;
  readonly #entries: Int32Array<ArrayBuffer>;
  readonly #bytes: Uint8Array;
  readonly #present: Uint8Array;
  #count = 0;
  #ascending = true;

  constructor(leaves: LeafHasher, capacity: number) {
    this.#leaves = leaves;
    this.#entries = new Int32Array(capacity * ENTRY_WORDS);
    this.#bytes = new Uint8Array(this.#entries.buffer);
    this.#present = new Uint8Array(capacity);
    leaves.start(this.#entries);
  }

  get count(): number {
    return this.#count;
  }

  /** Adds a change. @param keyAt offset of the key's 32 bytes in `keys` @param value undefined to delete the key */
  add(keys: Uint8Array, keyAt: number, value: Uint8Array | undefined): void {
    const at = this.#count * ENTRY_WORDS;
    copy32(keys, keyAt, this.#bytes, at * 4);
    if (value !== undefined) {
      this.#leaves.add(at, value);
      this.#present[this.#count] = 1;
    }
    if (at > 0 && compareKeys(this.#entries, at - ENTRY_WORDS, this.#entries, at) >= 0) {
      this.#ascending = false;
    }
    this.#count++;
  }

  /** Returns the changes and ends the list. @throws ProofError `invalid_input` for a duplicate key */
  sorted(): SortedChanges {
    this.#leaves.finish();
    const changes = { count: this.#count, entries: this.#entries, present: this.#present };
    return this.#ascending ? changes : sorted(changes);
  }
}

/** {@link ChangeList} for changes given as objects. @throws ProofError `invalid_input` for a bad or duplicate key */
export function sortChanges(leaves: LeafHasher, changes: readonly TreeChange[]): SortedChanges {
  const list = new ChangeList(leaves, changes.length);
  for (const { key, value } of changes) {
    if (key.length !== KEY_BYTES) {
      throw new ProofError('invalid_input', `state key: expected 32 bytes, got ${key.length}`);
    }
    list.add(key, 0, value);
  }
  return list.sorted();
}

/** For 32 bytes, a loop is faster than `set`. */
function copy32(from: Uint8Array, fromAt: number, to: Uint8Array, at: number): void {
  for (let i = 0; i < KEY_BYTES; i++) to[at + i] = from[fromAt + i] as number;
}

function sorted({ count, entries, present }: SortedChanges): SortedChanges {
  const order = Array.from({ length: count }, (_, i) => i).sort((a, b) =>
    compareKeys(entries, a * ENTRY_WORDS, entries, b * ENTRY_WORDS),
  );
  const sortedEntries = new Int32Array(entries.length);
  const sortedPresent = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const to = i * ENTRY_WORDS;
    copyEntry(entries, (order[i] as number) * ENTRY_WORDS, sortedEntries, to);
    sortedPresent[i] = present[order[i] as number] as number;
    if (i > 0 && compareKeys(sortedEntries, to - ENTRY_WORDS, sortedEntries, to) === 0) {
      const key = Buffer.from(sortedEntries.buffer, to * 4, KEY_BYTES).toString('hex');
      throw new ProofError('invalid_input', `state key ${key} is changed twice by one block`);
    }
  }
  return { count, entries: sortedEntries, present: sortedPresent };
}

/**
 * Replaces a bucket's entry with a change to the same key.
 * @param replaced if given, receives the old entry
 * @returns false, without a change, if the bucket does not have the key or the change deletes it
 */
export function updateEntry(
  bucket: Bucket,
  changes: SortedChanges,
  change: number,
  replaced?: SortedChanges,
): boolean {
  if (changes.present[change] !== 1) return false;
  const { words, at, count } = bucket;
  const from = change * ENTRY_WORDS;
  const first = changes.entries[from];
  const end = at + count * ENTRY_WORDS;
  for (let place = at; place < end; place += ENTRY_WORDS) {
    if (words[place] === first && compareKeys(words, place, changes.entries, from) === 0) {
      if (replaced !== undefined) noteReplaced(replaced, change, words, place);
      copyEntry(changes.entries, from, words, place);
      return true;
    }
  }
  return false;
}

/**
 * Merges the entries of a bucket, if any, with the changes `from` to `to` (exclusive), and writes them to the start
 * of `merged`.
 * @param merged has room for the entries and the changes
 * @param replaced if given, receives the old entries of changed keys
 * @returns the number of merged entries
 */
export function mergeEntries(
  bucket: Bucket | undefined,
  changes: SortedChanges,
  from: number,
  to: number,
  merged: Int32Array,
  replaced?: SortedChanges,
): number {
  const words = bucket?.words ?? changes.entries;
  let old = bucket?.at ?? 0;
  const oldEnd = old + (bucket?.count ?? 0) * ENTRY_WORDS;
  let length = 0;
  for (let change = from; change < to; change++) {
    const at = change * ENTRY_WORDS;
    let order = 1;
    while (old < oldEnd) {
      order = compareKeys(words, old, changes.entries, at);
      if (order >= 0) break;
      copyEntry(words, old, merged, length);
      length += ENTRY_WORDS;
      old += ENTRY_WORDS;
    }
    if (order === 0) {
      if (replaced !== undefined) noteReplaced(replaced, change, words, old);
      old += ENTRY_WORDS;
    }
    if (changes.present[change] === 1) {
      copyEntry(changes.entries, at, merged, length);
      length += ENTRY_WORDS;
    }
  }
  for (; old < oldEnd; old += ENTRY_WORDS, length += ENTRY_WORDS) copyEntry(words, old, merged, length);
  return length / ENTRY_WORDS;
}

function noteReplaced(replaced: SortedChanges, change: number, words: Int32Array, at: number): void {
  copyHash(words, at + HASH_WORDS, replaced.entries, change * ENTRY_WORDS + HASH_WORDS);
  replaced.present[change] = 1;
}
