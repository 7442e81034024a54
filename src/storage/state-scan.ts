import { readBe64 } from './big-endian.js';
import { assertReadable, historyKey, STATE_KEY_BYTES } from './state.js';
import type { Entry, StoreReader } from './store.js';

/** Entries of `state` that are read before the history of their keys is. */
const PORTION = 1_024;
/** History entries of one key that are passed over one by one; beyond, the scan jumps. */
const MAX_PASSED = 16;
/** History entries that one portion looks at. */
const MAX_HISTORY = 4_096;
/** Bytes of entries that one portion reads of `state`, and of `history`. */
const MAX_PORTION_BYTES = 2 * 1024 * 1024;
const HEIGHT_BYTES = 8;

/** A range of state keys in byte order. */
export interface StateRange {
  /** First key of the range, included; a prefix of keys where it is shorter than 32 bytes. */
  readonly gte?: Uint8Array;
  /** End of the range, not included. */
  readonly lt?: Uint8Array;
}

/** A part of a range as of a height. */
export interface StatePortion {
  /** Ascending by key: [key, value without height]. */
  readonly entries: readonly Entry[];
  /** `gte` of the rest of the range; undefined at its end. */
  readonly next: Uint8Array | undefined;
}

/**
 * All keys of a range and their values as of the end of a committed height, ascending by key: [key, value without height].
 * May be abandoned at any point, and runs while blocks are committed and history is pruned.
 * @throws {StateUnavailableError} when the height's history has been dropped, also in the middle of the scan
 */
export function* scanStateAt(
  reader: StoreReader,
  height: bigint,
  range: StateRange = {},
): IterableIterator<Entry> {
  for (const { entries } of statePortionsAt(reader, height, range)) yield* entries;
}

/**
 * As {@link scanStateAt}, in portions. The work for a portion has a bound, also where keys were created and removed since.
 *
 * Portion by portion, `state` is read first and `history` of the same keys second, for the reason that `state.ts` gives: what
 * commits add in between has heights above everything that the first read saw.
 * @throws {StateUnavailableError} as scanStateAt
 */
export function* statePortionsAt(
  reader: StoreReader,
  height: bigint,
  range: StateRange,
): IterableIterator<StatePortion> {
  assertReadable(reader, height);
  const state = reader.scan('state', range);
  try {
    let isRead = false;
    let from = range.gte;
    let ahead: readonly Entry[] = [];
    for (;;) {
      const read = [...ahead];
      let bytes = ahead.reduce((sum, [, raw]) => sum + raw.length, 0);
      while (!isRead && read.length < PORTION && bytes < MAX_PORTION_BYTES) {
        const { value, done } = state.next();
        if (done === true) {
          isRead = true;
        } else {
          read.push(value);
          bytes += value[1].length;
        }
      }
      const last = read.at(-1);
      const to = isRead || last === undefined ? range.lt : after(last[0]);
      const { older, reached } = overwrittenAfter(reader, height, { from, to });
      assertReadable(reader, height);
      const end = reached ?? to;
      const covered = reached === undefined ? read : read.filter(([key]) => Buffer.compare(key, reached) < 0);
      const isOver = isRead && reached === undefined;
      yield { entries: merge(height, covered, older), next: isOver ? undefined : end };
      if (isOver) return;
      ahead = read.slice(covered.length);
      from = end;
    }
  } finally {
    state.return?.();
  }
}

/** From the first, included, to the second, not included; undefined for no bound. */
interface KeysBetween {
  readonly from: Uint8Array | undefined;
  readonly to: Uint8Array | undefined;
}

/** The entries at a height, of those that `state` held and those that `history` has of the same keys. */
function merge(height: bigint, portion: readonly Entry[], older: readonly Entry[]): Entry[] {
  const entries: Entry[] = [];
  let next = 0;
  const takeOlder = (until?: Uint8Array): void => {
    for (; next < older.length; next++) {
      const [key, raw] = older[next] as Entry;
      if (until !== undefined && Buffer.compare(key, until) >= 0) return;
      entries.push([key, raw.subarray(HEIGHT_BYTES)]);
    }
  };
  for (const [key, raw] of portion) {
    if (next < older.length) takeOlder(key);
    if (readBe64(raw, 0) > height) continue;
    // A commit after the entry was read added the key's history.
    entries.push([key, raw.subarray(HEIGHT_BYTES)]);
    if (next < older.length && Buffer.compare((older[next] as Entry)[0], key) === 0) next++;
  }
  takeOlder();
  return entries;
}

interface Overwritten {
  readonly older: readonly Entry[];
  /** The first key that was not looked at; undefined if all were. */
  readonly reached?: Uint8Array;
}

/**
 * For each key between the two that was overwritten or deleted after the height, the raw entry that it had at the height, if it
 * had one: the first of its history entries behind the height, where that was written at the height or before.
 */
function overwrittenAfter(reader: StoreReader, height: bigint, { from, to }: KeysBetween): Overwritten {
  const older: Entry[] = [];
  let gte = from;
  let first: Uint8Array | undefined;
  let looked = 0;
  let bytes = 0;
  for (let jump = true; jump; ) {
    jump = false;
    let last: Uint8Array | undefined;
    let settled = false;
    let passed = 0;
    const range = { ...(gte === undefined ? {} : { gte }), ...(to === undefined ? {} : { lt: to }) };
    for (const [stored, raw] of reader.scan('history', range)) {
      const key = stored.subarray(0, STATE_KEY_BYTES);
      if (last === undefined || Buffer.compare(key, last) !== 0) {
        first ??= key;
        const isEnough = looked >= MAX_HISTORY || bytes >= MAX_PORTION_BYTES;
        // Every portion gets past a key.
        if (isEnough && Buffer.compare(key, first) > 0) return { older, reached: key };
        last = key;
        settled = false;
        passed = 0;
      }
      looked++;
      bytes += raw.length;
      if (!settled && readBe64(stored, STATE_KEY_BYTES) > height) {
        settled = true;
        if (readBe64(raw, 0) <= height) older.push([key, raw]);
      } else if (++passed > MAX_PASSED) {
        gte = settled ? after(key) : historyKey(key, height + 1n);
        jump = true;
        break;
      }
    }
  }
  return { older };
}

/** The least byte string above every history key of this key and every state key up to it. */
function after(key: Uint8Array): Uint8Array {
  const end = new Uint8Array(STATE_KEY_BYTES + HEIGHT_BYTES + 1).fill(0xff);
  end.set(key.subarray(0, STATE_KEY_BYTES));
  return end;
}
