/**
 * World state by key, readable at any kept height from any thread.
 *
 * 1. `state`: key (32 bytes) → raw entry = be64(height of writing) ‖ value.
 * 2. `history`: key ‖ be64(height of overwriting) → the raw entry that was overwritten or deleted at that height.
 * 3. `changes`: be64(height) → the keys changed at that height, 32 bytes each, ascending.
 * 4. A commit at height c writes 1 to 3 for all its keys in one atomic batch; heights only grow.
 * 5. The value at height h: the `state` entry if its height is at most h; otherwise the first `history` entry of the key
 *    overwritten at h + 1 or later, if that was itself written at h or before; otherwise the key did not exist at h.
 *
 * **Reading while commits land.** A reader takes `state` first, `history` second, and a height h that was committed before it
 * began. Commits that land in between have heights above everything the first read saw, so they change nothing of the answer:
 * - `state` gave an entry written at or before h: it was the current one after h was committed, so it is the value at h.
 * - `state` gave a later entry or none, and a history entry for h existed at that moment: later commits add history entries
 *   only behind it, the first one at or after h + 1 stays the same.
 * - the same, and no history entry for h existed: the key did not exist at h. Whatever history entry the second read finds
 *   was added by a later commit and holds a value written after h, so rule 5 answers "absent".
 * In the other order (`history` first) a commit in between would hide a value from both reads.
 *
 * **Reading while history is pruned.** Pruning advances the oldest kept height in the same batch that begins to drop (see
 * prune.ts). A reader that relied on `history` looks at the oldest height *after* that: if its height is still kept, nothing it
 * needed can have been gone before; otherwise it throws {@link StateUnavailableError}.
 *
 * @module
 */

import { be64, readBe64, writeBe64 } from './big-endian.js';
import type { Entry, StoreReader } from './store.js';
import type { WriteBatch } from './write-batch.js';

/** Length of a state key in bytes. */
export const STATE_KEY_BYTES = 32;
/** Length of the height in front of a raw entry's value. */
const HEIGHT_BYTES = 8;
const MAX_HEIGHT = 0xffff_ffff_ffff_ffffn;
const OLDEST_HEIGHT_KEY = new TextEncoder().encode('state_oldest_height');

/** A read of state at a height whose history has been dropped. */
export class StateUnavailableError extends Error {
  override readonly name = 'StateUnavailableError';
  readonly code = 'state_unavailable';
  /** The height asked for. */
  readonly height: bigint;
  /** The oldest height that can be read. */
  readonly oldest: bigint;

  constructor(height: bigint, oldest: bigint) {
    super(`state at height ${height} is no longer kept; the oldest kept height is ${oldest}`);
    this.height = height;
    this.oldest = oldest;
  }
}

/** One key's change by a block. */
export interface StateChange {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** The raw entry in `state` now, with its height; absent when the key does not exist. */
  readonly previous: Uint8Array | undefined;
  /** The new value, without height; absent to delete the key. */
  readonly value: Uint8Array | undefined;
}

/** The current raw entry of a key: be64(height) ‖ value. */
export function readRaw(reader: StoreReader, key: Uint8Array): Uint8Array | undefined {
  return reader.get('state', key);
}

/** The current raw entries of many keys, in the order asked. */
export function readRawMany(reader: StoreReader, keys: readonly Uint8Array[]): (Uint8Array | undefined)[] {
  return reader.getMany('state', keys);
}

/** The raw entry of a value that was set at a height. */
export function rawOf(height: bigint, value: Uint8Array): Uint8Array {
  const raw = new Uint8Array(HEIGHT_BYTES + value.length);
  writeBe64(raw, 0, height);
  raw.set(value, HEIGHT_BYTES);
  return raw;
}

/** The parts of a raw entry. The value is a view into it. */
export function splitRaw(raw: Uint8Array): { readonly height: bigint; readonly value: Uint8Array } {
  return { height: readBe64(raw, 0), value: raw.subarray(HEIGHT_BYTES) };
}

/** The value of a raw entry, as a view into it: cheaper than {@link splitRaw} where nobody asks for the height. */
export function valueOfRaw(raw: Uint8Array): Uint8Array {
  return raw.subarray(HEIGHT_BYTES);
}

/**
 * The value of a key as of the end of a committed height, without the height.
 * @throws {StateUnavailableError} when the answer lay in history that has been dropped.
 */
export function readAt(reader: StoreReader, key: Uint8Array, height: bigint): Uint8Array | undefined {
  return readRawAt(reader, key, height)?.subarray(HEIGHT_BYTES);
}

/** The raw entry of a key as of the end of a committed height; otherwise as {@link readAt}. */
export function readRawAt(reader: StoreReader, key: Uint8Array, height: bigint): Uint8Array | undefined {
  const raw = reader.get('state', key);
  if (raw !== undefined && readBe64(raw, 0) <= height) return raw;
  const older = readHistory(reader, key, height);
  assertReadable(reader, height);
  return older;
}

/** {@link readAt} for many keys, in the order asked; cheaper than one by one. */
export function readManyAt(
  reader: StoreReader,
  keys: readonly Uint8Array[],
  height: bigint,
): (Uint8Array | undefined)[] {
  const values = reader.getMany('state', keys);
  let usedHistory = false;
  for (const [index, key] of keys.entries()) {
    const raw = values[index];
    if (raw !== undefined && readBe64(raw, 0) <= height) {
      values[index] = raw.subarray(HEIGHT_BYTES);
    } else {
      usedHistory = true;
      values[index] = readHistory(reader, key, height)?.subarray(HEIGHT_BYTES);
    }
  }
  if (usedHistory) assertReadable(reader, height);
  return values;
}

/** The raw entry that was the key's at a height before the one in `state`. */
function readHistory(reader: StoreReader, key: Uint8Array, height: bigint): Uint8Array | undefined {
  if (height >= MAX_HEIGHT) return undefined;
  const gte = historyKey(key, height + 1n);
  for (const [foundKey, raw] of reader.scan('history', { gte, limit: 1 })) {
    return startsWith(foundKey, key) && readBe64(raw, 0) <= height ? raw : undefined;
  }
  return undefined;
}

/** The key under which `history` keeps what was overwritten at `height`. */
export function historyKey(key: Uint8Array, height: bigint): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(STATE_KEY_BYTES + HEIGHT_BYTES);
  bytes.set(key);
  writeBe64(bytes, STATE_KEY_BYTES, height);
  return bytes;
}

function startsWith(bytes: Uint8Array, prefix: Uint8Array): boolean {
  for (let i = 0; i < prefix.length; i++) if (bytes[i] !== prefix[i]) return false;
  return true;
}

/**
 * Adds one block's state changes to its commit batch: rules 1 to 3 above. A key that is absent before and after is left out.
 * @param height the block's, above that of every earlier commit.
 * @param changes one per key, in any order; ascending is cheapest.
 * @throws {RangeError} for a key that is not 32 bytes or comes twice.
 */
export function appendStateChanges(batch: WriteBatch, height: bigint, changes: readonly StateChange[]): void {
  const effective = changes.filter((change) => change.previous !== undefined || change.value !== undefined);
  if (effective.length === 0) return;
  effective.sort((a, b) => Buffer.compare(a.key, b.key));

  const changed = new Uint8Array(effective.length * STATE_KEY_BYTES);
  let last: Uint8Array | undefined;
  for (const [index, { key, previous, value }] of effective.entries()) {
    if (key.length !== STATE_KEY_BYTES) throw new RangeError(`a state key has 32 bytes, got ${key.length}`);
    if (last !== undefined && Buffer.compare(last, key) === 0) {
      throw new RangeError(`key ${Buffer.from(key).toString('hex')} changes twice at height ${height}`);
    }
    last = key;
    changed.set(key, index * STATE_KEY_BYTES);
    if (previous !== undefined) batch.put('history', historyKey(key, height), previous);
    if (value === undefined) {
      batch.delete('state', key);
    } else {
      batch.put('state', key, rawOf(height, value));
    }
  }
  batch.put('changes', be64(height), changed);
}

/** The keys changed at a height, ascending; empty when there were none or the list has been dropped. */
export function changedKeys(reader: StoreReader, height: bigint): Uint8Array[] {
  return splitKeys(reader.get('changes', be64(height)) ?? new Uint8Array(0));
}

/** The 32-byte keys of a change list, as views into it. */
export function splitKeys(list: Uint8Array): Uint8Array[] {
  const keys: Uint8Array[] = [];
  for (let at = 0; at < list.length; at += STATE_KEY_BYTES)
    keys.push(list.subarray(at, at + STATE_KEY_BYTES));
  return keys;
}

/** All current entries, [key, raw entry], in key order: for rebuilding what is derived from state. */
export function scanState(reader: StoreReader): IterableIterator<Entry> {
  return reader.scan('state', {});
}

/** The oldest height whose state can be read; 0 until history is first pruned. */
export function oldestHeight(reader: StoreReader): bigint {
  const bytes = reader.get('meta', OLDEST_HEIGHT_KEY);
  return bytes === undefined ? 0n : readBe64(bytes, 0);
}

/** Records the oldest readable height: by pruning, and once after state was imported at a height. */
export function setOldestHeight(batch: WriteBatch, height: bigint): void {
  batch.put('meta', OLDEST_HEIGHT_KEY, be64(height));
}

/**
 * Refuses a height whose state is no longer whole.
 * @throws {StateUnavailableError}
 */
export function assertReadable(reader: StoreReader, height: bigint): void {
  const oldest = oldestHeight(reader);
  if (height < oldest) throw new StateUnavailableError(height, oldest);
}
