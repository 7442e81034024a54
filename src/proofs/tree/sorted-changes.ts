import { ProofError } from '../proof-error.js';
import type { LeafHasher } from './leaf-hashing.js';
import { compareKeys, copyEntry, ENTRY_WORDS } from './words.js';

const KEY_BYTES = 32;

/** A key (32 bytes) with its new value, or undefined where it is deleted. */
export interface TreeChange {
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

/** Changes as the tree takes them: ascending by key, each key once. */
export interface SortedChanges {
  readonly count: number;
  /** Entries (words.ts); the leaf hash is zero where the key is deleted. */
  readonly entries: Int32Array;
  /** 1 where the key has a value, 0 where it is deleted. */
  readonly present: Uint8Array;
}

/** Takes what changes replace: made with their keys, and with nothing present. */
export type ReplacedEntries = SortedChanges;

/**
 * Gathers changes with the hashes of their leaves. One list at a time uses a hasher.
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

  /** @param capacity most changes */
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

  /**
   * Adds a change.
   * @param keyAt where the key's 32 bytes begin in `keys`
   * @param value its new value, or undefined where it is deleted
   */
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

  /** What was added; the list is of no more use. @throws ProofError `invalid_input` for a key that came twice */
  sorted(): SortedChanges {
    this.#leaves.finish();
    const changes = { count: this.#count, entries: this.#entries, present: this.#present };
    return this.#ascending ? changes : sorted(changes);
  }
}

/**
 * {@link ChangeList} of changes that are objects.
 * @throws ProofError `invalid_input` for a key that is not 32 bytes long or comes twice
 */
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

/** A loop copies so few bytes faster than `set`. */
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
