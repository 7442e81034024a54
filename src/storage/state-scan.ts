import { sameBytes } from '../base/same-bytes.js';
import { readBe64 } from './big-endian.js';
import { afterKey, assertReadable, historyKey, STATE_KEY_BYTES } from './state.js';
import type { Entry, StoreReader } from './store.js';

/** Number of `state` entries per portion; the history of their keys is read afterwards. */
const PORTION = 1_024;
/** Maximum number of history entries of one key that a scan steps over before it seeks past the rest. */
const MAX_PASSED = 16;
/** Maximum number of history entries that one portion examines. */
const MAX_HISTORY = 4_096;
/** Byte limits of one portion's reads, for `state` and `history` each. */
const MAX_PORTION_BYTES = 2 * 1024 * 1024;
const HEIGHT_BYTES = 8;

export interface StateRange {
  /** First key of the range, inclusive; a key prefix if shorter than 32 bytes. */
  readonly gte?: Uint8Array | undefined;
  /** End of the range, exclusive. */
  readonly lt?: Uint8Array | undefined;
}

/** Part of a range, with the values at one height. */
export interface StatePortion {
  /** [key, value without height], ascending by key. */
  readonly entries: readonly Entry[];
  /** `gte` of the rest of the range; undefined at its end. */
  readonly next: Uint8Array | undefined;
}

/**
 * Iterates over all keys of a range and their values at the end of a committed height: [key, value without height],
 * ascending by key. The iteration may be abandoned at any point. Blocks may be committed and history pruned while it
 * runs.
 * @throws {StateUnavailableError} if the height's history has been dropped, even in the middle of the scan
 */
export function* scanStateAt(
  reader: StoreReader,
  height: bigint,
  range: StateRange = {},
): IterableIterator<Entry> {
  for (const { entries } of statePortionsAt(reader, height, range)) yield* entries;
}

/**
 * Like {@link scanStateAt}, in portions. The work per portion is bounded, even if keys were created and removed after
 * the height.
 *
 * Each portion reads `state` first and `history` of the same keys second, for the reason given in `state.ts`: commits
 * between the two reads only add heights above everything that the first read saw.
 * @throws {StateUnavailableError} like {@link scanStateAt}
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
      const to = isRead || last === undefined ? range.lt : afterKey(last[0]);
      const { older, reached } = overwrittenAfter(reader, height, { gte: from, lt: to });
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

/** Merges the entries of `state` with those of `history` for the same keys into the entries at a height. */
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
    // Skips a history entry of the same key: a commit added it after the `state` entry was read.
    entries.push([key, raw.subarray(HEIGHT_BYTES)]);
    if (next < older.length && sameBytes((older[next] as Entry)[0], key)) next++;
  }
  takeOlder();
  return entries;
}

interface Overwritten {
  readonly older: readonly Entry[];
  /** First key that was not examined; undefined if all were. */
  readonly reached?: Uint8Array;
}

/**
 * For each key overwritten or deleted after a height, finds its raw entry at that height: the key's first history
 * entry above the height, if that entry was written at or below the height.
 */
function overwrittenAfter(reader: StoreReader, height: bigint, range: StateRange): Overwritten {
  const older: Entry[] = [];
  let { gte } = range;
  let first: Uint8Array | undefined;
  let looked = 0;
  let bytes = 0;
  for (let jump = true; jump; ) {
    jump = false;
    let last: Uint8Array | undefined;
    let settled = false;
    let passed = 0;
    for (const [stored, raw] of reader.scan('history', { ...range, gte })) {
      const key = stored.subarray(0, STATE_KEY_BYTES);
      if (!sameBytes(key, last)) {
        first ??= key;
        const isEnough = looked >= MAX_HISTORY || bytes >= MAX_PORTION_BYTES;
        // Every portion advances by at least one key.
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
        gte = settled ? afterKey(key) : historyKey(key, height + 1n);
        jump = true;
        break;
      }
    }
  }
  return { older };
}
