/**
 * The tops of the trees of committed blocks (tree-top.ts), in column `tree`: what makes a proof at an earlier height cost no more
 * than the part of the tree that it is about.
 *
 * 1. 0x05 ‖ be64(base) ‖ be64(height) → the top of the tree at a height: whole where the height is the base, otherwise what
 *    changes that of the height before. The heights of a base follow each other without a gap.
 * 2. The records of a base are few enough, and short enough, to be read for one proof. A new base is begun with the first block
 *    after a start.
 * 3. Nothing relies on them: a height without a record, or with one that does not lead to its root, has its tree worked out
 *    whole. So they may go to the store after their block, and be lost in a crash.
 * 4. A base is dropped when the one after it is no higher than the oldest height that is served.
 */
import { readBe64 } from '../../storage/big-endian.js';
import type { StoreReader } from '../../storage/store.js';
import { type BatchPieces, WriteBatch } from '../../storage/write-batch.js';
import { numbersKey } from './tree-keys.js';
import { TreeTop } from './tree-top.js';

const TOP = 5;
/** Rule 2. */
const BLOCKS_A_BASE = 256n;
const BYTES_A_BASE = 1024 * 1024;

/** Keeps the records of the last blocks. */
export class TopRecords {
  readonly #store: Pick<StoreReader, 'scan'>;
  readonly #top = new TreeTop();
  #base: bigint | undefined;
  /** Of the records since the base. */
  #bytes = 0;
  #batch = new WriteBatch();
  /** Rule 4: nothing is to be dropped while the oldest height is below. */
  #dropAt = 0n;
  /** Bases below have been dropped. */
  #dropFrom = 0n;

  /** @param top of the last committed block, encoded */
  constructor(store: Pick<StoreReader, 'scan'>, top: Uint8Array) {
    this.#store = store;
    this.#top.apply(top);
  }

  /** Adds that of the next block. @param changes of the top, encoded */
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

  /** Has the records dropped that only heights below the oldest need. */
  drop(oldest: bigint): void {
    if (oldest < this.#dropAt) return;
    const base = nextBase(this.#store, this.#dropFrom);
    const next = base === undefined ? undefined : nextBase(this.#store, base + 1n);
    if (base === undefined || next === undefined || next > oldest) {
      // The present base is not followed by another one before so many blocks, or so many bytes.
      this.#dropAt = next ?? oldest + 1n;
      return;
    }
    const end = base + BLOCKS_A_BASE < next ? base + BLOCKS_A_BASE : next;
    for (let height = base; height < end; height++) this.#batch.delete('tree', topKey(base, height));
    this.#dropFrom = base + 1n;
  }

  /** What is to be written by now. */
  take(): readonly BatchPieces[] {
    if (this.#batch.count === 0) return [];
    const pieces = this.#batch.finishPieces();
    this.#batch = new WriteBatch();
    return [pieces];
  }
}

/** The top of the tree at a height; undefined where the records do not lead to it. */
export function storedTop(store: Pick<StoreReader, 'scan'>, height: bigint): TreeTop | undefined {
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

function nextBase(store: Pick<StoreReader, 'scan'>, from: bigint): bigint | undefined {
  const range = { gte: topKey(from, 0n), lt: Uint8Array.of(TOP + 1), limit: 1 };
  for (const [key] of store.scan('tree', range)) return readBe64(key, 1);
  return undefined;
}

function topKey(base: bigint, height: bigint): Uint8Array {
  return numbersKey(TOP, base, height);
}
