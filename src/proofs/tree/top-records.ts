/**
 * The tops of committed blocks' trees (tree-top.ts), in column `tree`. They limit the cost of a proof at an earlier
 * height to the part of the tree that contains the requested keys.
 *
 * 1. 0x05 ‖ be64(base) ‖ be64(height) → the top of the tree at a height: complete at the base's height, otherwise the
 *    changes since the previous height. The heights of a base are contiguous.
 * 2. The records of a base are few and short enough to be read for one proof. The first block after a start begins a
 *    new base.
 * 3. Records are optional: if a height has no record, or one that does not lead to its root, the whole tree is
 *    derived. Records may therefore be written after their block, and be lost in a crash.
 * 4. A base is dropped when its successor is not above the oldest served height.
 */
import { readBe64 } from '../../storage/big-endian.js';
import type { StoreReader } from '../../storage/store.js';
import { type BatchPieces, WriteBatch } from '../../storage/write-batch.js';
import { numbersKey } from './page-codec.js';
import { TreeTop } from './tree-top.js';

const TOP = 5;
/** Rule 2: a new base begins after this many blocks or bytes. */
const BLOCKS_A_BASE = 256n;
const BYTES_A_BASE = 1024 * 1024;

export class TopRecords {
  readonly #store: StoreReader;
  readonly #top = new TreeTop();
  #base: bigint | undefined;
  /** Size of the records since the base. */
  #bytes = 0;
  #batch = new WriteBatch();
  /** Rule 4: nothing can be dropped while the oldest served height is below this. */
  #dropAt = 0n;
  /** Bases below this have been dropped. */
  #dropFrom = 0n;

  /** @param top top of the last committed block, encoded */
  constructor(store: StoreReader, top: Uint8Array) {
    this.#store = store;
    this.#top.apply(top);
  }

  /** Adds the record of the next block. @param changes changes of the top, encoded */
  add(height: bigint, changes: Uint8Array): void {
    this.#top.apply(changes);
    const isDue =
      this.#base === undefined || height - this.#base >= BLOCKS_A_BASE || this.#bytes >= BYTES_A_BASE;
    if (isDue) this.#bytes = 0;
    else this.#bytes += changes.length;
    const base = isDue ? height : (this.#base ?? height);
    this.#base = base;
    this.#batch.put('tree', topKey(base, height), isDue ? this.#top.encode() : changes);
  }

  /** Drops records that are needed only below the oldest served height. */
  drop(oldest: bigint): void {
    if (oldest < this.#dropAt) return;
    const base = nextBase(this.#store, this.#dropFrom);
    const next = base === undefined ? undefined : nextBase(this.#store, base + 1n);
    if (base === undefined || next === undefined || next > oldest) {
      // Checks again once the next base is old enough, or at the next height if there is none yet.
      this.#dropAt = next ?? oldest + 1n;
      return;
    }
    const end = base + BLOCKS_A_BASE < next ? base + BLOCKS_A_BASE : next;
    for (let height = base; height < end; height++) this.#batch.delete('tree', topKey(base, height));
    this.#dropFrom = base + 1n;
  }

  take(): readonly BatchPieces[] {
    if (this.#batch.count === 0) return [];
    const pieces = this.#batch.finishPieces();
    this.#batch = new WriteBatch();
    return [pieces];
  }
}

/** The top of the tree at a height; undefined if the records do not lead to it. */
export function storedTop(store: StoreReader, height: bigint): TreeTop | undefined {
  const upTo = { gte: topKey(0n, 0n), lt: topKey(height + 1n, 0n), reverse: true, limit: 1 };
  let base: bigint | undefined;
  for (const [key] of store.scan('tree', upTo)) base = readBe64(key, 1);
  if (base === undefined) return undefined;
  const top = new TreeTop();
  let next = base;
  for (const [key, encoded] of store.scan('tree', { gte: topKey(base, 0n), lt: topKey(base, height + 1n) })) {
    if (readBe64(key, 9) !== next || !top.apply(encoded)) return undefined;
    next++;
  }
  return next === height + 1n ? top : undefined;
}

function nextBase(store: StoreReader, from: bigint): bigint | undefined {
  const range = { gte: topKey(from, 0n), lt: Uint8Array.of(TOP + 1), limit: 1 };
  for (const [key] of store.scan('tree', range)) return readBe64(key, 1);
  return undefined;
}

function topKey(base: bigint, height: bigint): Uint8Array {
  return numbersKey(TOP, base, height);
}
