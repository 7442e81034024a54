/**
 * The way of the state tree into the store.
 *
 * 1. All that changed up to a height goes to the store in one batch, with `meta/tree_height`, which says at which block the
 *    pages in column `tree` stand, and `meta/tree_batch`, which counts the batches: that tells one that has been written from
 *    one that has not.
 * 2. A batch is worked out in steps between blocks (hand-out.ts), so that no block waits for it. The next one is begun when
 *    it is done; where that cannot wait, what is left of it is done at once.
 * 3. A batch with a mark (tree-marks.ts) is followed by ones that keep what they overwrite (page-versions.ts). Where that is
 *    much it goes to the store before them, in batches that are counted like them.
 */

import { toHex } from '../../idl/hex.js';
import { be64, readBe64 } from '../../storage/big-endian.js';
import { latin1 } from '../../storage/latin1.js';
import type { StoreReader } from '../../storage/store.js';
import { type BatchPieces, forEachOperation, isUnshared } from '../../storage/write-batch.js';
import { ProofError } from '../proof-error.js';
import type { ChunkedBatch } from './chunks.js';
import type { PageFlush } from './page-flush.js';
import { VersionWriter } from './page-versions.js';
import type { StateTree } from './state-tree.js';
import type { TreeMarks } from './tree-marks.js';

export const TREE_HEIGHT_KEY = new TextEncoder().encode('tree_height');
const TREE_BATCH_KEY = new TextEncoder().encode('tree_batch');

/** Pages encoded, and old versions read, in one step: one to two milliseconds. */
const PAGES_A_STEP = 384;
const VERSIONS_A_STEP = 256;
/** Versions that come to more go ahead in batches of their own: what one batch takes, it takes several times over. */
const VERSION_BATCH_BYTES = 8 * 1024 * 1024;

/** A batch that the store may not have yet. */
interface Unsettled {
  /** By `meta/tree_batch`. */
  readonly number: bigint;
  /** By the tree's own count; absent for one of versions alone. */
  readonly handedOut?: number;
  readonly height: bigint;
  readonly chunks: BatchPieces;
  readonly bytes: number;
}

interface PendingWrite {
  readonly handOut: PageFlush;
  readonly versions: VersionWriter | undefined;
  /** Of the versions that no batch has yet. */
  ahead: ChunkedBatch;
}

export class TreeWriter {
  readonly #tree: StateTree;
  readonly #marks: TreeMarks;
  readonly #store: StoreReader;
  /** The number of the last batch. */
  #batch: bigint;
  #pendingWrite: PendingWrite | undefined;
  /** Waits to be taken. */
  readonly #prepared: Unsettled[] = [];
  /** Done, and not yet seen in the store; oldest first. */
  #unsettled: Unsettled[] = [];
  /** In the store, though the batch under way may still look at them. */
  #arrived: Unsettled[] = [];

  constructor(tree: StateTree, marks: TreeMarks, store: StoreReader) {
    this.#tree = tree;
    this.#marks = marks;
    this.#store = store;
    this.#batch = storedBatch(store);
  }

  /** Whether nothing is on its way. */
  get isSettled(): boolean {
    return this.#pendingWrite === undefined && this.#unsettled.length === 0;
  }

  /** Begins a batch with the tree as it is. @param isMarked whether its height is to be marked */
  begin(height: bigint, isMarked: boolean): void {
    this.complete();
    this.settle();
    const { newest } = this.#marks;
    const versions = newest === undefined ? undefined : new VersionWriter(newest, this.#versionReader());
    const handOut = this.#tree.beginFlush(height, (page) => versions?.note(page));
    if (isMarked) this.#marks.add(handOut.batch, height);
    this.#pendingWrite = { handOut, versions, ahead: this.#tree.newBatch() };
  }

  /** One step of the batch that was begun. @returns whether there is more to do */
  step(): boolean {
    if (this.#pendingWrite === undefined) return false;
    const isDone = this.#pendingWrite.handOut.step(PAGES_A_STEP) && this.#addVersions(this.#pendingWrite);
    if (isDone) {
      this.#finish(this.#pendingWrite);
      this.#pendingWrite = undefined;
      this.#recycle();
    }
    this.#reserve();
    return !isDone;
  }

  /** @returns whether none are left */
  #addVersions(underWay: PendingWrite): boolean {
    const { handOut, versions, ahead } = underWay;
    if (versions === undefined) return true;
    const isDone = versions.add(ahead, VERSIONS_A_STEP);
    if (ahead.bytes >= VERSION_BATCH_BYTES) {
      const number = ++this.#batch;
      versions.endBatch(ahead.batch, number);
      ahead.batch.put('meta', TREE_BATCH_KEY, be64(number));
      this.#prepare({ number, height: handOut.height, chunks: ahead.finish(), bytes: ahead.bytes });
      underWay.ahead = this.#tree.newBatch();
    }
    return isDone;
  }

  #finish({ handOut, versions, ahead }: PendingWrite): void {
    const { height, number: handedOut } = handOut;
    const number = ++this.#batch;
    versions?.endBatch(ahead.batch, number);
    handOut.batch.put('meta', TREE_HEIGHT_KEY, be64(height));
    handOut.batch.put('meta', TREE_BATCH_KEY, be64(number));
    const chunks = [...ahead.finish(), ...handOut.finish()];
    this.#prepare({ number, handedOut, height, chunks, bytes: ahead.bytes + handOut.bytes });
  }

  #prepare(batch: Unsettled): void {
    this.#prepared.push(batch);
    this.#unsettled.push(batch);
  }

  /** Does what is left of the batch that was begun. */
  complete(): void {
    while (this.step());
  }

  /** The batches that are done and were not taken yet, in the order in which they are to be written. */
  take(): readonly BatchPieces[] {
    // Buffers that are not shared go to another thread for good.
    return this.#prepared
      .splice(0)
      .map(({ chunks }) => chunks.map((chunk) => (isUnshared(chunk) ? chunk.slice() : chunk)));
  }

  /** Looks which batches on their way have arrived. */
  settle(): void {
    if (this.#unsettled.length === 0) return;
    const stored = storedBatch(this.#store);
    for (let first = this.#unsettled[0]; first !== undefined; first = this.#unsettled[0]) {
      if (first.number > stored) return;
      if (first.handedOut !== undefined) {
        this.#tree.confirm(first.handedOut);
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
    for (const { chunks } of this.#arrived.splice(0)) this.#tree.recycle(chunks);
  }

  /** Batches take of the memory for pages: here, and once more while they are written. */
  #reserve(): void {
    const bytes = this.#unsettled.reduce((sum, batch) => sum + batch.bytes, 0);
    const underWay = (this.#pendingWrite?.handOut.bytes ?? 0) + (this.#pendingWrite?.ahead.bytes ?? 0);
    this.#tree.reserve(2 * (bytes + underWay));
  }

  /** Reads the pages of present keys as they are before the batch that is begun. */
  #versionReader(): (keys: readonly Uint8Array[]) => readonly Uint8Array[] {
    const unsettled = [...this.#unsettled];
    let coming: Map<string, Uint8Array | undefined> | undefined;
    return (keys) => {
      coming ??= pagesOf(unsettled);
      const stored = this.#store.getMany('tree', keys);
      return keys.map((key, index) => {
        // Pages of batches on their way are not in the store, or in it in an older version.
        const page = (coming?.size === 0 ? undefined : coming?.get(latin1(key))) ?? stored[index];
        if (page !== undefined) return page;
        throw new ProofError('damaged', `state tree: the stored page under ${toHex(key)} is missing`);
      });
    };
  }
}

/** The number of the last batch in the store. */
function storedBatch(store: Pick<StoreReader, 'get'>): bigint {
  const bytes = store.get('meta', TREE_BATCH_KEY);
  return bytes?.length === 8 ? readBe64(bytes, 0) : 0n;
}

/** The pages that batches put or, where undefined, delete. */
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
