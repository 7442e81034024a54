/**
 * Older versions of pages, which keep the tree of a marked height readable for as long as the mark is kept. They are
 * in column `tree` beside the current pages (page-codec.ts):
 *
 * 1. 0x03 ‖ be64(height): a mark. It is written in the same batch as the tree of that height, so once the mark is in
 *    the store, a current page that was flushed at or before that height belongs to the marked tree.
 * 2. 0x01 ‖ length of the path ‖ path ‖ be64(mark) → a page as it was at that mark. It is written with, or before,
 *    the batch that first overwrites or deletes the page after the mark, and only if the page is not newer than the
 *    newest mark at that time. (A version of a page that has not been overwritten yet, or never is, equals the
 *    current page.)
 * 3. 0x02 ‖ be64(mark) ‖ be64(number of the batch) → the paths of the pages that the batch put under the mark, each
 *    as length ‖ path: the index for pruning.
 * 4. A page of the tree at mark m is the current one if that was flushed at or before m, otherwise the version with
 *    the smallest mark at or after m. (Only pages that the parent page has at m are looked up, so that version is not
 *    a later one.)
 * 5. Versions under marks below the oldest kept one are unused and are dropped, in steps.
 * 6. 0x04 ‖ be64(height): the mark of that height is kept after it leaves the window of served heights.
 */
import { be64, readBe64, writeBe64 } from '../../storage/big-endian.js';
import type { StoreReader } from '../../storage/store.js';
import { WriteBatch } from '../../storage/write-batch.js';
import type { ChunkedBatch } from './chunks.js';
import { numbersKey, writtenAt } from './page-codec.js';

const VERSION = 1;
const INDEX = 2;
const MARK = 3;
const KEPT = 4;

/** Maximum number of pages per read while versions are saved. */
const PAGES_A_READ = 1024;

/** Reads stored pages; one result per key, in their order. */
export interface PageReader {
  getMany(column: 'tree', keys: readonly Uint8Array[]): (Uint8Array | undefined)[];
}

/** Reads the pages of the stored tree at a mark (rule 4), for `StateTree.open`. */
export function pagesAtMark(store: StoreReader, mark: bigint): PageReader {
  return {
    getMany(column, keys) {
      // Current pages are read first. A page that is overwritten after this read was either returned by it or has a
      // version by the time versions are read.
      const pages = store.getMany(column, keys);
      for (const [index, key] of keys.entries()) {
        const page = pages[index];
        const written = page === undefined ? undefined : writtenAt(page);
        if (page !== undefined && (written === undefined || BigInt(written) <= mark)) continue;
        pages[index] = versionAt(store, key.subarray(1), mark);
      }
      return pages;
    },
  };
}

function versionAt(store: StoreReader, path: Uint8Array, mark: bigint): Uint8Array | undefined {
  const range = { gte: versionKey(path, mark), lt: versionKey(path, 0xffff_ffff_ffff_ffffn), limit: 1 };
  for (const [, page] of store.scan('tree', range)) return page;
  return undefined;
}

export interface StoredPage {
  readonly key: Uint8Array;
  readonly writtenAt: number;
}

/** Adds versions of pages that are overwritten or deleted to batches, portion by portion (rules 2 and 3). */
export class VersionWriter {
  readonly #mark: bigint;
  readonly #read: (keys: readonly Uint8Array[]) => readonly Uint8Array[];
  #waiting: Uint8Array[] = [];
  /** Paths of the versions in the current batch. */
  #paths: Uint8Array[] = [];

  /** @param newestMark below the height of the batch @param read reads stored pages before they are overwritten */
  constructor(newestMark: bigint, read: (keys: readonly Uint8Array[]) => readonly Uint8Array[]) {
    this.#mark = newestMark;
    this.#read = read;
  }

  /** Records a page that the batch overwrites or deletes. */
  note({ key, writtenAt: height }: StoredPage): void {
    if (BigInt(height) <= this.#mark) this.#waiting.push(key);
  }

  /** Adds up to `limit` versions of recorded pages. @returns true if none are left */
  add(into: ChunkedBatch, limit: number): boolean {
    const keys = this.#waiting.splice(-Math.min(limit, PAGES_A_READ));
    for (const [index, page] of (keys.length === 0 ? [] : this.#read(keys)).entries()) {
      const path = (keys[index] ?? new Uint8Array(1)).subarray(1);
      into.batch.put('tree', versionKey(path, this.#mark), page);
      this.#paths.push(path);
    }
    return this.#waiting.length === 0;
  }

  /** Ends a batch: adds the pruning index. @param number unique number of the batch */
  endBatch(batch: WriteBatch, number: bigint): void {
    if (this.#paths.length === 0) return;
    const index = new Uint8Array(this.#paths.reduce((sum, path) => sum + 1 + path.length, 0));
    let at = 0;
    for (const path of this.#paths) {
      index[at] = path.length;
      index.set(path, at + 1);
      at += 1 + path.length;
    }
    batch.put('tree', numbersKey(INDEX, this.#mark, number), index);
    this.#paths = [];
  }
}

/**
 * Drops versions that no mark at or above `oldestMark` needs, one step per call (rule 5).
 * @param maxVersions maximum number of versions to drop
 * @returns undefined if none are left
 */
export function dropVersions(
  store: StoreReader,
  oldestMark: bigint,
  maxVersions: number,
): WriteBatch | undefined {
  const batch = new WriteBatch();
  let left = maxVersions;
  for (const [key, paths] of store.scan('tree', {
    gte: numbersKey(INDEX, 0n, 0n),
    lt: numbersKey(INDEX, oldestMark, 0n),
  })) {
    const mark = readBe64(key, 1);
    let at = 0;
    for (; at < paths.length && left > 0; left--) {
      const end = at + 1 + (paths[at] ?? 0);
      batch.delete('tree', versionKey(paths.subarray(at + 1, end), mark));
      at = end;
    }
    if (at < paths.length) batch.put('tree', key, paths.subarray(at));
    else batch.delete('tree', key);
    if (left === 0) break;
  }
  return batch.count === 0 ? undefined : batch;
}

/** The marked heights in the store, ascending (rule 1). */
export function storedMarks(store: StoreReader): bigint[] {
  return heightsUnder(store, MARK);
}

/** The heights whose marks are kept outside the window, ascending (rule 6). */
export function storedCheckpoints(store: StoreReader): bigint[] {
  return heightsUnder(store, KEPT);
}

export function setMark(batch: WriteBatch, height: bigint, isMarked: boolean): void {
  setHeight(batch, MARK, height, isMarked);
}

/** Sets whether the mark of a height is kept outside the window (rule 6). */
export function setCheckpointKept(batch: WriteBatch, height: bigint, isKept: boolean): void {
  setHeight(batch, KEPT, height, isKept);
}

function setHeight(batch: WriteBatch, kind: number, height: bigint, isSet: boolean): void {
  const key = Uint8Array.from([kind, ...be64(height)]);
  if (isSet) batch.put('tree', key, new Uint8Array(0));
  else batch.delete('tree', key);
}

function heightsUnder(store: StoreReader, kind: number): bigint[] {
  const range = { gte: Uint8Array.of(kind), lt: Uint8Array.of(kind + 1) };
  return Array.from(store.scan('tree', range), ([key]) => readBe64(key, 1));
}

function versionKey(path: Uint8Array, mark: bigint): Uint8Array {
  const key = new Uint8Array(2 + path.length + 8);
  key[0] = VERSION;
  key[1] = path.length;
  key.set(path, 2);
  writeBe64(key, 2 + path.length, mark);
  return key;
}
