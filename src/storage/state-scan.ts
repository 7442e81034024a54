import { readBe64 } from './big-endian.js';
import { assertReadable, historyKey, STATE_KEY_BYTES } from './state.js';
import type { Entry, StoreReader } from './store.js';

/** Entries of `state` that are read before the history of their keys is. */
const PORTION = 1_024;
/** History entries of one key that are passed over one by one; beyond, the scan jumps. */
const MAX_PASSED = 16;
const HEIGHT_BYTES = 8;

/** A range of state keys in byte order. */
export interface StateRange {
  /** 32 bytes, included. */
  readonly gte?: Uint8Array;
  /** 32 bytes, not included. */
  readonly lt?: Uint8Array;
}

/**
 * All keys of a range and their values as of the end of a committed height, ascending by key: [key, value without height].
 *
 * Portion by portion, `state` is read first and `history` of the same keys second, for the reason that `state.ts` gives: what
 * commits add in between has heights above everything that the first read saw. May be abandoned at any point, and runs while
 * blocks are committed and history is pruned.
 * @throws {StateUnavailableError} when the height's history has been dropped, also in the middle of the scan
 */
export function* scanStateAt(
  reader: StoreReader,
  height: bigint,
  range: StateRange = {},
): IterableIterator<Entry> {
  assertReadable(reader, height);
  let from = range.gte;
  let portion: Entry[] = [];
  for (const entry of reader.scan('state', range)) {
    portion.push(entry);
    if (portion.length < PORTION) continue;
    const end = after(entry[0]);
    yield* mergePortion(reader, height, portion, { from, to: end });
    from = end;
    portion = [];
  }
  yield* mergePortion(reader, height, portion, { from, to: range.lt });
}

/** From the first, included, to the second, not included; undefined for no bound. */
interface KeysBetween {
  readonly from: Uint8Array | undefined;
  readonly to: Uint8Array | undefined;
}

/** The entries at the height between two keys, of which `state` held `portion` a moment ago. */
function* mergePortion(
  reader: StoreReader,
  height: bigint,
  portion: readonly Entry[],
  between: KeysBetween,
): IterableIterator<Entry> {
  const older = overwrittenAfter(reader, height, between);
  assertReadable(reader, height);
  let next = 0;
  for (const [key, raw] of portion) {
    for (; next < older.length; next++) {
      const [olderKey, olderRaw] = older[next] as Entry;
      if (Buffer.compare(olderKey, key) >= 0) break;
      yield [olderKey, olderRaw.subarray(HEIGHT_BYTES)];
    }
    if (readBe64(raw, 0) <= height) {
      // Whatever history says of this key was added after the entry was read.
      yield [key, raw.subarray(HEIGHT_BYTES)];
      if (next < older.length && Buffer.compare((older[next] as Entry)[0], key) === 0) next++;
    }
  }
  for (; next < older.length; next++) {
    const [key, raw] = older[next] as Entry;
    yield [key, raw.subarray(HEIGHT_BYTES)];
  }
}

/**
 * For each key between the two that was overwritten or deleted after the height, the raw entry that it had at the height, if it
 * had one: the first of its history entries behind the height, where that was written at the height or before.
 */
function overwrittenAfter(reader: StoreReader, height: bigint, { from, to }: KeysBetween): Entry[] {
  const found: Entry[] = [];
  let gte = from;
  for (let jump = true; jump; ) {
    jump = false;
    let last: Uint8Array | undefined;
    let settled = false;
    let passed = 0;
    const range = { ...(gte === undefined ? {} : { gte }), ...(to === undefined ? {} : { lt: to }) };
    for (const [stored, raw] of reader.scan('history', range)) {
      const key = stored.subarray(0, STATE_KEY_BYTES);
      if (last === undefined || Buffer.compare(key, last) !== 0) {
        last = key;
        settled = false;
        passed = 0;
      }
      if (!settled && readBe64(stored, STATE_KEY_BYTES) > height) {
        settled = true;
        if (readBe64(raw, 0) <= height) found.push([key, raw]);
      } else if (++passed > MAX_PASSED) {
        gte = settled ? after(key) : historyKey(key, height + 1n);
        jump = true;
        break;
      }
    }
  }
  return found;
}

/** The least byte string above every history key of this key and every state key up to it. */
function after(key: Uint8Array): Uint8Array {
  const end = new Uint8Array(STATE_KEY_BYTES + HEIGHT_BYTES + 1).fill(0xff);
  end.set(key.subarray(0, STATE_KEY_BYTES));
  return end;
}
