/**
 * World state by key, readable at any kept height from any thread.
 *
 * 1. `state`: key (32 bytes) → raw entry = be64(height at which it was written) ‖ value.
 * 2. `history`: key ‖ be64(height) → the raw entry that was overwritten or deleted at that height.
 * 3. `changes`: be64(height) → the keys changed at that height, 32 bytes each, ascending.
 * 4. A commit at height c writes 1 to 3 for all its keys, and the tip, in one atomic batch; heights only grow.
 * 5. The value at height h: the `state` entry if its height is at most h; otherwise the first `history` entry of the
 *    key overwritten at h + 1 or later, if that entry was written at h or before; otherwise the key did not exist at
 *    h.
 * 6. If a key has no `state` entry, and the tip's height, read after that, is at most h, then the key does not exist
 *    at h, and `history` need not be read.
 *
 * **Reading during commits.** A reader reads `state` first and `history` second, at a height h that was committed
 * before it began. Commits in between have heights above everything that the first read saw, so they do not change
 * the answer:
 * - `state` gave an entry written at or before h: it was the current entry after h was committed, so it is the value
 *   at h.
 * - `state` gave a later entry or none, and a history entry for h existed at that moment: later commits add history
 *   entries only after it, so the first one at or above h + 1 stays the same.
 * - `state` gave a later entry or none, and no history entry for h existed: the key did not exist at h. Any history
 *   entry that the second read finds was added by a later commit and holds a value written after h, so rule 5 answers
 *   "absent".
 *
 * In the other order (`history` or the tip first), a commit in between would hide a value from both reads.
 *
 * **Reading during pruning.** Pruning advances the oldest kept height in the batch of its first deletions (see
 * prune.ts). A reader that relied on `history` checks the oldest height *after* reading: if its height is still kept,
 * nothing it needed was gone; otherwise it throws {@link StateUnavailableError}.
 *
 * **Reading after pruning.** RocksDB keeps deleted entries for a while, and a scan passes over them. A read of `history` is
 * bounded by its key, whose deleted entries all lie at or below the oldest height, so it passes over none.
 *
 * @module
 */

import { sameBytes } from '../base/same-bytes.js';
import { toHex } from '../idl/hex.js';
import { be64, readBe64, writeBe64 } from './big-endian.js';
import type { StoreReader } from './store.js';
import type { WriteBatch } from './write-batch.js';

export const STATE_KEY_BYTES = 32;
/** Length of the height that precedes a raw entry's value, in bytes. */
const HEIGHT_BYTES = 8;
const MAX_HEIGHT = 0xffff_ffff_ffff_ffffn;
const OLDEST_HEIGHT_KEY = new TextEncoder().encode('state_oldest_height');
/** Key in `meta` of the last committed block: be64(height) ‖ hash. */
export const TIP_KEY: Uint8Array = new TextEncoder().encode('tip');

/** Thrown when state is read at a height whose history has been dropped. */
export class StateUnavailableError extends Error {
  override readonly name = 'StateUnavailableError';
  readonly code = 'state_unavailable';

  constructor(
    readonly height: bigint,
    readonly oldest: bigint,
  ) {
    super(`state at height ${height} is no longer kept; the oldest kept height is ${oldest}`);
  }
}

export interface StateChange {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** The current raw entry in `state`, with its height; undefined if the key does not exist. */
  readonly previous: Uint8Array | undefined;
  /** The new value, without height; undefined to delete the key. */
  readonly value: Uint8Array | undefined;
}

/** Encodes the raw entry of a value set at a height. */
export function rawOf(height: bigint, value: Uint8Array): Uint8Array {
  const raw = new Uint8Array(HEIGHT_BYTES + value.length);
  writeBe64(raw, 0, height);
  raw.set(value, HEIGHT_BYTES);
  return raw;
}

/** The value of a raw entry, as a view into it. */
export function valueOfRaw(raw: Uint8Array): Uint8Array {
  return raw.subarray(HEIGHT_BYTES);
}

/** The value of a key at the end of a committed height. @throws {StateUnavailableError} if its history was dropped */
export function readAt(reader: StoreReader, key: Uint8Array, height: bigint): Uint8Array | undefined {
  return readRawAt(reader, key, height)?.subarray(HEIGHT_BYTES);
}

/** Like {@link readAt}, but returns the raw entry. */
export function readRawAt(reader: StoreReader, key: Uint8Array, height: bigint): Uint8Array | undefined {
  return readRawManyAt(reader, [key], height)[0];
}

/** {@link readAt} for many keys, in the order of `keys`; cheaper than one by one. */
export function readManyAt(
  reader: StoreReader,
  keys: readonly Uint8Array[],
  height: bigint,
): (Uint8Array | undefined)[] {
  return readRawManyAt(reader, keys, height).map((raw) => raw?.subarray(HEIGHT_BYTES));
}

function readRawManyAt(
  reader: StoreReader,
  keys: readonly Uint8Array[],
  height: bigint,
): (Uint8Array | undefined)[] {
  const raws = reader.getMany('state', keys);
  let isCurrent: boolean | undefined;
  let usedHistory = false;
  for (const [index, key] of keys.entries()) {
    const raw = raws[index];
    if (raw === undefined) {
      isCurrent ??= hasNoChangesAfter(reader, height);
      if (isCurrent) continue;
    } else if (readBe64(raw, 0) <= height) {
      continue;
    }
    usedHistory = true;
    raws[index] = readHistory(reader, key, height);
  }
  if (usedHistory) assertReadable(reader, height);
  return raws;
}

/** Rule 6: true if a key that was just read as absent did not exist at this height, which is kept. */
function hasNoChangesAfter(reader: StoreReader, height: bigint): boolean {
  const [tip, oldest] = reader.getMany('meta', [TIP_KEY, OLDEST_HEIGHT_KEY]);
  if (tip === undefined || readBe64(tip, 0) > height) return false;
  return oldest === undefined || readBe64(oldest, 0) <= height;
}

/** Looks up in `history` the raw entry that the key had at a height. */
function readHistory(reader: StoreReader, key: Uint8Array, height: bigint): Uint8Array | undefined {
  if (height >= MAX_HEIGHT) return undefined;
  const range = { gte: historyKey(key, height + 1n), lt: afterKey(key), limit: 1 };
  for (const [, raw] of reader.scan('history', range)) return readBe64(raw, 0) <= height ? raw : undefined;
  return undefined;
}

/** The `history` key of the entry overwritten at `height`. */
export function historyKey(key: Uint8Array, height: bigint): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(STATE_KEY_BYTES + HEIGHT_BYTES);
  bytes.set(key);
  writeBe64(bytes, STATE_KEY_BYTES, height);
  return bytes;
}

/** A byte string above a key (the first 32 bytes) and all its `history` keys, and below the next key. */
export function afterKey(key: Uint8Array): Uint8Array {
  const end = new Uint8Array(STATE_KEY_BYTES + HEIGHT_BYTES + 1).fill(0xff);
  end.set(key.subarray(0, STATE_KEY_BYTES));
  return end;
}

/**
 * Adds one block's state changes to its commit batch (rules 1 to 3). Keys absent both before and after are left out.
 * @param height height of the block, above that of every earlier commit.
 * @param changes one per key, in any order; ascending is cheapest.
 * @throws {RangeError} if a key is not 32 bytes or occurs twice.
 */
export function appendStateChanges(batch: WriteBatch, height: bigint, changes: readonly StateChange[]): void {
  const effective = changes.filter((change) => change.previous !== undefined || change.value !== undefined);
  if (effective.length === 0) return;
  effective.sort((a, b) => Buffer.compare(a.key, b.key));

  const changed = new Uint8Array(effective.length * STATE_KEY_BYTES);
  let last: Uint8Array | undefined;
  for (const [index, { key, previous, value }] of effective.entries()) {
    if (key.length !== STATE_KEY_BYTES) throw new RangeError(`a state key has 32 bytes, got ${key.length}`);
    if (sameBytes(last, key)) {
      throw new RangeError(`key ${toHex(key)} changes twice at height ${height}`);
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

/** The keys changed at a height, ascending; empty if there were none or the list has been dropped. */
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

/** The oldest height whose state can be read; 0 until history is first pruned. */
export function oldestHeight(reader: StoreReader): bigint {
  const bytes = reader.get('meta', OLDEST_HEIGHT_KEY);
  return bytes === undefined ? 0n : readBe64(bytes, 0);
}

/** Records the oldest readable height: set by pruning, and once after a state import. */
export function setOldestHeight(batch: WriteBatch, height: bigint): void {
  batch.put('meta', OLDEST_HEIGHT_KEY, be64(height));
}

/** Checks that state at a height is still complete. @throws {StateUnavailableError} */
export function assertReadable(reader: StoreReader, height: bigint): void {
  const oldest = oldestHeight(reader);
  if (height < oldest) throw new StateUnavailableError(height, oldest);
}
