import type { SortedChanges } from './sorted-changes.js';
import { compareKeys, copyEntry, ENTRY_WORDS } from './words.js';

/**
 * The entries of a bucket after the changes `from` to `to` (not included). The given entries may be written to and may be
 * the result.
 */
export function mergeEntries(
  entries: Int32Array,
  changes: SortedChanges,
  from: number,
  to: number,
): Int32Array {
  if (to - from === 1) {
    const place = findEntry(entries, changes.entries, from * ENTRY_WORDS);
    if (place >= 0 && changes.present[from] === 1) {
      copyEntry(changes.entries, from * ENTRY_WORDS, entries, place);
      return entries;
    }
  }
  const merged = new Int32Array(entries.length + (to - from) * ENTRY_WORDS);
  let length = 0;
  let old = 0;
  for (let change = from; change < to; change++) {
    const at = change * ENTRY_WORDS;
    let order = 1;
    while (old < entries.length) {
      order = compareKeys(entries, old, changes.entries, at);
      if (order >= 0) break;
      copyEntry(entries, old, merged, length);
      length += ENTRY_WORDS;
      old += ENTRY_WORDS;
    }
    if (order === 0) old += ENTRY_WORDS;
    if (changes.present[change] === 1) {
      copyEntry(changes.entries, at, merged, length);
      length += ENTRY_WORDS;
    }
  }
  for (; old < entries.length; old += ENTRY_WORDS, length += ENTRY_WORDS) {
    copyEntry(entries, old, merged, length);
  }
  return length === merged.length ? merged : merged.slice(0, length);
}

function findEntry(entries: Int32Array, key: Int32Array, keyAt: number): number {
  const first = key[keyAt];
  for (let at = 0; at < entries.length; at += ENTRY_WORDS) {
    if (entries[at] === first && compareKeys(entries, at, key, keyAt) === 0) return at;
  }
  return -1;
}
