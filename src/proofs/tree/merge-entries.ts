import type { Bucket } from './pages.js';
import type { ReplacedEntries, SortedChanges } from './sorted-changes.js';
import { compareKeys, copyEntry, copyHash, ENTRY_WORDS, HASH_WORDS } from './words.js';

/**
 * Replaces a bucket's entry with a change to the same key.
 * @param replaced if given, receives the old entry
 * @returns false, without a change, if the bucket does not have the key or the change deletes it
 */
export function updateEntry(
  bucket: Bucket,
  changes: SortedChanges,
  change: number,
  replaced?: ReplacedEntries,
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
  replaced?: ReplacedEntries,
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

function noteReplaced(replaced: ReplacedEntries, change: number, words: Int32Array, at: number): void {
  copyHash(words, at + HASH_WORDS, replaced.entries, change * ENTRY_WORDS + HASH_WORDS);
  replaced.present[change] = 1;
}
