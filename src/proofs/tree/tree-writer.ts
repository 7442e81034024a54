/**
 * Writes the state tree to the store.
 *
 * 1. All changes up to a height are written in one batch, with `meta/tree_height`, the height of the pages in column
 *    `tree`, and `meta/tree_batch`, the number of the batch, which shows whether a batch has been written.
 * 2. A batch is prepared in steps between blocks (page-flush.ts), so that no block waits for it. The next one begins
 *    when it is done; if the next one cannot wait, the remaining steps are run at once.
 * 3. Batches after one with a mark (tree-marks.ts) keep the pages that they overwrite (page-versions.ts). If these are
 *    many, they are written first, in separate numbered batches.
 */

import { toHex } from '../../idl/hex.js';
import { be64, readBe64 } from '../../storage/big-endian.js';
import { latin1 } from '../../storage/latin1.js';
import type { StoreReader } from '../../storage/store.js';
import { type BatchPieces, forEachOperation, isUnshared } from '../../storage/write-batch.js';
import { ProofError } from '../proof-error.js';
import { ChunkedBatch } from './chunks.js';
import type { PageFlush } from './page-flush.js';
import { VersionWriter } from './page-versions.js';
import type { StateTree } from './state-tree.js';
import type { TreeMarks } from './tree-marks.js';

export const TREE_HEIGHT_KEY = new TextEncoder().encode('tree_height');
const TREE_BATCH_KEY = new TextEncoder().encode('tree_batch');

/** Pages encoded, and old versions read, in one step: one to two milliseconds. */
const PAGES_A_STEP = 384;
const VERSIONS_A_STEP = 256;
/** Size above which versions are written ahead in separate batches: a batch takes several times its size in memory. */
const VERSION_BATCH_BYTES = 8 * 1024 * 1024;

/** A batch that may not have arrived in the store yet. */
interface Unsettled {
  /** Number in `meta/tree_batch`. */
  readonly number: bigint;
  /** Flush number in the tree; absent for a batch with versions only. */
  readonly flushed?: number;
  readonly height: bigint;
  readonly chunks: BatchPieces;
  readonly bytes: number;
}

interface PendingWrite {
  readonly flush: PageFlush;
  readonly versions: VersionWriter | undefined;
  /** Versions that no batch contains yet. */
  ahead: ChunkedBatch;
}

export class TreeWriter {
  readonly #tree: StateTree;
  readonly #marks: TreeMarks;
  readonly #store: StoreReader;
  #batch: bigint;
  #pendingWrite: PendingWrite | undefined;
  readonly #prepared: Unsettled[] = [];
  /** Finished batches not yet seen in the store; oldest first. */
  #unsettled: Unsettled[] = [];
  /** Batches in the store whose chunks the batch in progress may still read. */
  #arrived: Unsettled[] = [];

  constructor(tree: StateTree, marks: TreeMarks, store: StoreReader) {
    this.#tree = tree;
    this.#marks = marks;
    this.#store = store;
    this.#batch = storedBatch(store);
  }

  /** True if no batch is in progress or in flight. */
  get isSettled(): boolean {
    return this.#pendingWrite === undefined && this.#unsettled.length === 0;
  }

  /** Begins a batch with the tree in its current state. @param isMarked true if the height must be marked */
  begin(height: bigint, isMarked: boolean): void {
    this.complete();
    this.settle();
    const { newest } = this.#marks;
    const versions = newest === undefined ? undefined : new VersionWriter(newest, this.#versionReader());
    const flush = this.#tree.cache.beginFlush(height, (page) => versions?.note(page));
    if (isMarked) this.#marks.add(flush.batch, height);
    this.#pendingWrite = { flush, versions, ahead: this.#newBatch() };
  }

  /** Runs one step of the batch in progress. @returns true if there is more to do */
  step(): boolean {
    if (this.#pendingWrite === undefined) return false;
    const isDone = this.#pendingWrite.flush.step(PAGES_A_STEP) && this.#addVersions(this.#pendingWrite);
    if (isDone) {
      this.#finish(this.#pendingWrite);
      this.#pendingWrite = undefined;
      this.#recycle();
    }
    this.#reserve();
    return !isDone;
  }

  /** @returns true if none are left */
  #addVersions(inFlight: PendingWrite): boolean {
    const { flush, versions, ahead } = inFlight;
    if (versions === undefined) return true;
    const isDone = versions.add(ahead, VERSIONS_A_STEP);
    if (ahead.bytes >= VERSION_BATCH_BYTES) {
      const number = ++this.#batch;
      versions.endBatch(ahead.batch, number);
      ahead.batch.put('meta', TREE_BATCH_KEY, be64(number));
      this.#prepare({ number, height: flush.height, chunks: ahead.finish(), bytes: ahead.bytes });
      inFlight.ahead = this.#newBatch();
    }
    return isDone;
  }

  #finish({ flush, versions, ahead }: PendingWrite): void {
    const { height, number: flushed } = flush;
    const number = ++this.#batch;
    versions?.endBatch(ahead.batch, number);
    flush.batch.put('meta', TREE_HEIGHT_KEY, be64(height));
    flush.batch.put('meta', TREE_BATCH_KEY, be64(number));
    const chunks = [...ahead.finish(), ...flush.finish()];
    this.#prepare({ number, flushed, height, chunks, bytes: ahead.bytes + flush.bytes });
  }

  #newBatch(): ChunkedBatch {
    return new ChunkedBatch(this.#tree.cache.chunks);
  }

  #prepare(batch: Unsettled): void {
    this.#prepared.push(batch);
    this.#unsettled.push(batch);
  }

  /** Finishes the batch in progress. */
  complete(): void {
    while (this.step());
  }

  /** Takes the finished batches, in the order in which they must be written. */
  take(): readonly BatchPieces[] {
    // The receiver transfers unshared buffers to another thread, so it gets copies.
    return this.#prepared
      .splice(0)
      .map(({ chunks }) => chunks.map((chunk) => (isUnshared(chunk) ? chunk.slice() : chunk)));
  }

  /** Checks which batches in flight have arrived in the store. */
  settle(): void {
    if (this.#unsettled.length === 0) return;
    const stored = storedBatch(this.#store);
    for (let first = this.#unsettled[0]; first !== undefined; first = this.#unsettled[0]) {
      if (first.number > stored) return;
      if (first.flushed !== undefined) {
        this.#tree.cache.confirm(first.flushed);
        this.#marks.settle(first.height);
      }
      this.#unsettled.shift();
      this.#arrived.push(first);
      this.#recycle();
      this.#reserve();
    }
  }

  #recycle(): void {
    if (this.#pendingWrite !== undefined) return;
    for (const { chunks } of this.#arrived.splice(0)) this.#tree.cache.chunks.giveBack(chunks);
  }

  /** Reserves page memory for batches twice: for the batches here, and for a copy while they are written. */
  #reserve(): void {
    const bytes = this.#unsettled.reduce((sum, batch) => sum + batch.bytes, 0);
    const inFlight = (this.#pendingWrite?.flush.bytes ?? 0) + (this.#pendingWrite?.ahead.bytes ?? 0);
    this.#tree.cache.reservedBytes = 2 * (bytes + inFlight);
  }

  /** Returns a reader of pages as they are before the current batch. */
  #versionReader(): (keys: readonly Uint8Array[]) => readonly Uint8Array[] {
    const unsettled = [...this.#unsettled];
    let coming: Map<string, Uint8Array | undefined> | undefined;
    return (keys) => {
      coming ??= pagesOf(unsettled);
      const stored = this.#store.getMany('tree', keys);
      return keys.map((key, index) => {
        // Pages of batches in flight are not in the store, or only in an older version.
        const page = (coming?.size === 0 ? undefined : coming?.get(latin1(key))) ?? stored[index];
        if (page !== undefined) return page;
        throw new ProofError('damaged', `state tree: the stored page under ${toHex(key)} is missing`);
      });
    };
  }
}

/** The number of the last batch in the store. */
function storedBatch(store: StoreReader): bigint {
  const bytes = store.get('meta', TREE_BATCH_KEY);
  return bytes?.length === 8 ? readBe64(bytes, 0) : 0n;
}

/** The pages that batches put or, if undefined, delete. */
function pagesOf(batches: readonly Unsettled[]): Map<string, Uint8Array | undefined> {
  const pages = new Map<string, Uint8Array | undefined>();
  for (const chunk of batches.flatMap(({ chunks }) => chunks)) {
    forEachOperation(chunk, {
      put: (column, key, value) => {
        if (column === 'tree') pages.set(latin1(key), value);
      },
      delete: (column, key) => {
        if (column === 'tree') pages.set(latin1(key), undefined);
      },
    });
  }
  return pages;
}
