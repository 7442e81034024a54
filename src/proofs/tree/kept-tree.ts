/**
 * The state tree between memory and store.
 *
 * 1. `meta/tree_height` says at which block the pages in column `tree` stand. Both are written in one batch, after the block's
 *    own commit, so the stored tree is never ahead of the chain unless the caller broke that order.
 *    `meta/tree_batch` counts these batches, which tells one that has been written from one that has not.
 * 2. Pages are handed out with the first block, then with the block after so many blocks or changed keys, with the block after
 *    a marked height (tree-marks.ts), and at a clean stop; but for marks and the stop never while an earlier batch has not been
 *    seen in the store.
 * 3. At a start the tree opens at its height, and the keys that changed since (column `changes`) are set to their present
 *    values. This leads to the tip's state whatever the order of the changes was. It pauses at the checkpoint heights on the
 *    way, whose trees are handed out and marked.
 * 4. Where that is not possible or does not lead to the tip's state root, the tree is rebuilt from column `state`. Marks and versions go
 *    with the old pages; trees of old heights are worked out from the new one.
 */

import type { Hashes } from '../../crypto/load-hashes.js';
import { toHex } from '../../idl/hex.js';
import { be64, readBe64 } from '../../storage/big-endian.js';
import { oldestHeight, readManyAt, scanState, splitKeys, splitRaw } from '../../storage/state.js';
import type { StoreReader } from '../../storage/store.js';
import { forEachOperation, WriteBatch } from '../../storage/write-batch.js';
import type { ProofProgress, Tip } from '../messages.js';
import { ProofError } from '../proof-error.js';
import type { StoredPage } from './page-cache.js';
import { keepVersions } from './page-versions.js';
import type { SortedChanges, TreeChange } from './sorted-changes.js';
import { StateTree, type StateTreeOptions } from './state-tree.js';
import { TreeMarks } from './tree-marks.js';

const TREE_HEIGHT_KEY = new TextEncoder().encode('tree_height');
const TREE_BATCH_KEY = new TextEncoder().encode('tree_batch');

/** Rule 2: so many blocks or changed keys. The keys bound what a start replays: some tenths of a second. */
const BLOCKS_A_BATCH = 256;
const KEYS_A_BATCH = 50_000;
/** More changed keys than these are slower to replay than to rebuild all, as a rule. */
const MAX_REPLAY_KEYS = 500_000;
/** Keys read and applied in one step of a replay or rebuild. */
const KEYS_A_STEP = 8192;
/** Pages in one batch of a rebuild. */
const PAGES_A_PORTION = 16_384;
/** Removals of old pages in one batch of a rebuild. */
const REMOVALS_A_PORTION = 65_536;

export interface KeptTreeOptions {
  readonly crypto: Hashes;
  readonly store: StoreReader;
  readonly cacheBytes: number;
  readonly tip: Tip | undefined;
  /** The tree of every height that is a multiple of this can be read until its mark is dropped. */
  readonly checkpointInterval: bigint;
  readonly onProgress: (progress: ProofProgress) => void;
  /**
   * Has a batch of pages written during a rebuild; resolves once the store has it. Without it a rebuilt tree stays in memory
   * until the next block.
   */
  readonly writePortion?: (batch: Uint8Array<ArrayBuffer>) => Promise<void>;
}

/** The height of the stored tree, or undefined where there is none that is whole. */
export function storedTreeHeight(store: Pick<StoreReader, 'get'>): bigint | undefined {
  const bytes = store.get('meta', TREE_HEIGHT_KEY);
  if (bytes === undefined) return undefined;
  if (bytes.length !== 8) {
    throw new ProofError('damaged', `meta/tree_height: expected 8 bytes, got ${bytes.length}`);
  }
  return readBe64(bytes, 0);
}

/** The number of the last batch in the store. */
function storedBatch(store: Pick<StoreReader, 'get'>): bigint {
  const bytes = store.get('meta', TREE_BATCH_KEY);
  return bytes?.length === 8 ? readBe64(bytes, 0) : 0n;
}

/** A batch that the store may not have yet. */
interface Unsettled {
  /** By `meta/tree_batch`. */
  readonly number: bigint;
  /** By {@link StateTree.handOut}. */
  readonly handedOut: number;
  readonly height: bigint;
  readonly encoded: Uint8Array;
}

export class KeptTree {
  readonly tree: StateTree;
  readonly marks: TreeMarks;
  readonly #store: StoreReader;
  /** The block whose state the tree has; undefined before the genesis block. */
  #height: bigint | undefined;
  /** Whether the tree has been handed out as it is. */
  #complete: boolean;
  /** Whether the height is to be marked and has not been handed out. */
  #markDue = false;
  /** Rule 2: since the last batch. */
  #blocks = 0;
  #keys = 0;
  /** The number of the last batch. */
  #batch: bigint;
  /** Wait for the next block. */
  #prepared: Uint8Array<ArrayBuffer>[] = [];
  /** Handed out or prepared, and not yet seen in the store; oldest first. */
  #unsettled: Unsettled[] = [];

  private constructor(
    tree: StateTree,
    { store, checkpointInterval }: KeptTreeOptions,
    at: { readonly height: bigint | undefined; readonly complete: boolean },
  ) {
    this.tree = tree;
    this.marks = new TreeMarks(store, checkpointInterval);
    this.#store = store;
    this.#height = at.height;
    this.#complete = at.complete;
    this.#batch = storedBatch(store);
  }

  /**
   * The tree at the tip (rules 3 and 4).
   * @throws ProofError `root_mismatch` where even a rebuilt tree does not have the tip's state root
   */
  static async open(options: KeptTreeOptions): Promise<KeptTree> {
    const { crypto, store, cacheBytes, tip, writePortion } = options;
    const treeOptions = { crypto, store, cacheBytes };
    if (tip === undefined) {
      return new KeptTree(StateTree.empty(treeOptions), options, { height: undefined, complete: false });
    }
    const opened = await KeptTree.#openStored(options, treeOptions, tip);
    if (opened instanceof KeptTree) return opened;
    const tree = await rebuild(options, treeOptions, tip, opened.reason);
    const rebuilt = new KeptTree(tree, options, { height: tip.height, complete: false });
    rebuilt.#markDue = true;
    rebuilt.marks.discard();
    if (writePortion !== undefined) await writePortion(rebuilt.#handOut(tip.height));
    return rebuilt;
  }

  /** Rule 3. @returns why it is not possible, if so */
  static async #openStored(
    options: KeptTreeOptions,
    treeOptions: StateTreeOptions,
    tip: Tip,
  ): Promise<KeptTree | { readonly reason: string }> {
    const { store } = options;
    try {
      const height = storedTreeHeight(store);
      if (height === undefined) return { reason: 'no state tree is stored' };
      if (height > tip.height) {
        return { reason: `the stored state tree is of height ${height}, beyond the tip at ${tip.height}` };
      }
      if (height < tip.height && oldestHeight(store) > height) {
        return { reason: `the changes since the stored state tree's height ${height} have been dropped` };
      }
      const kept = new KeptTree(StateTree.open(treeOptions), options, { height, complete: true });
      if (!(await kept.#replay(options, height, tip.height))) {
        return {
          reason: `more than ${MAX_REPLAY_KEYS} keys changed since the stored state tree's height ${height}`,
        };
      }
      if (Buffer.compare(kept.root(), tip.stateRoot) !== 0) {
        return {
          reason: `the stored state tree has root ${toHex(kept.root())} at height ${tip.height}, the block's header says ${toHex(tip.stateRoot)}`,
        };
      }
      return kept;
    } catch (error) {
      if (error instanceof ProofError && error.code === 'damaged') return { reason: error.message };
      throw error;
    }
  }

  /** @returns whether that many keys can be replayed */
  async #replay({ writePortion, onProgress }: KeptTreeOptions, from: bigint, to: bigint): Promise<boolean> {
    const stages: { readonly height: bigint; readonly keys: readonly Uint8Array[] }[] = [];
    let total = 0;
    let changed = new Map<string, Uint8Array>();
    for (let height = from + 1n; height <= to; height++) {
      for (const key of splitKeys(this.#store.get('changes', be64(height)) ?? new Uint8Array(0))) {
        changed.set(Buffer.from(key).toString('latin1'), key);
      }
      if (total + changed.size > MAX_REPLAY_KEYS) return false;
      if (height < to && !this.marks.isCheckpoint(height)) continue;
      stages.push({ height, keys: [...changed.values()] });
      total += changed.size;
      changed = new Map();
    }
    let done = 0;
    for (const { height, keys } of stages) {
      for (let start = 0; start < keys.length; start += KEYS_A_STEP) {
        const step = keys.slice(start, start + KEYS_A_STEP);
        const values = readManyAt(this.#store, step, height);
        this.tree.apply(step.map((key, index) => ({ key, value: values[index] })));
        done += step.length;
        onProgress({ type: 'progress', stage: 'replay', fraction: done / total, keys: done });
      }
      this.#advanced(height, keys.length);
      if (this.#markDue && height < to && writePortion !== undefined) {
        await writePortion(this.#handOut(height));
        this.#settle();
      }
    }
    return true;
  }

  /** 32 bytes. */
  root(): Uint8Array<ArrayBuffer> {
    return this.tree.root();
  }

  /** The marked heights whose trees the store has, ascending. */
  storedMarks(): readonly bigint[] {
    this.#settle();
    return this.marks.stored;
  }

  /**
   * Applies a block's changes.
   * @returns a batch to be written after the block's commit, when there is one (rule 2)
   */
  advance(height: bigint, changes: SortedChanges): Uint8Array<ArrayBuffer> | undefined {
    const first = this.#height === undefined;
    if (this.#markDue && this.#height !== undefined) this.#prepared.push(this.#handOut(this.#height));
    this.tree.applySorted(changes);
    this.#advanced(height, changes.count);
    if (first) this.#prepared.push(this.#handOut(height));
    return this.#takePrepared();
  }

  #advanced(height: bigint, changedKeys: number): void {
    this.#height = height;
    this.#complete = false;
    this.#blocks++;
    this.#keys += changedKeys;
    this.#markDue = this.marks.isDue(height, changedKeys);
  }

  /**
   * Encodes the pages when they are due, to be handed out with the next block: to be called once a block has been answered, so
   * that no block waits for it.
   */
  prepare(): void {
    this.#settle();
    if (this.#height === undefined || this.#complete) return;
    const isDue = this.#blocks >= BLOCKS_A_BATCH || this.#keys >= KEYS_A_BATCH;
    if (this.#markDue || (isDue && this.#unsettled.length === 0)) {
      this.#prepared.push(this.#handOut(this.#height));
    }
  }

  /** All that is not stored yet, for a clean stop; undefined where nothing is missing. */
  finish(): Uint8Array<ArrayBuffer> | undefined {
    const height = this.#height;
    if (height !== undefined && !this.#complete) this.#prepared.push(this.#handOut(height));
    return this.#takePrepared();
  }

  #takePrepared(): Uint8Array<ArrayBuffer> | undefined {
    const prepared = this.#prepared;
    this.#prepared = [];
    if (prepared.length < 2) return prepared[0];
    const batch = new WriteBatch();
    for (const encoded of prepared) batch.append(encoded);
    return batch.finish();
  }

  #handOut(height: bigint): Uint8Array<ArrayBuffer> {
    this.#settle();
    const batch = new WriteBatch();
    const { newest } = this.marks;
    this.#batch++;
    const number = this.#batch;
    const handedOut = this.tree.handOut(batch, height, (overwritten) => {
      if (newest !== undefined) this.#keepVersions(batch, overwritten, newest, number);
    });
    if (this.#markDue) this.marks.add(batch, height);
    batch.put('meta', TREE_HEIGHT_KEY, be64(height));
    batch.put('meta', TREE_BATCH_KEY, be64(number));
    this.#markDue = false;
    this.#complete = true;
    this.#blocks = 0;
    this.#keys = 0;
    const encoded = batch.finish();
    // A copy: the batch itself goes to another thread.
    this.#unsettled.push({ number, handedOut, height, encoded: encoded.slice() });
    return encoded;
  }

  #keepVersions(
    batch: WriteBatch,
    overwritten: readonly StoredPage[],
    newestMark: bigint,
    number: bigint,
  ): void {
    // Pages of batches on their way are not in the store, or in it in an older version.
    const coming = new Map<string, Uint8Array | undefined>();
    for (const { encoded } of this.#unsettled) {
      forEachOperation(encoded, {
        put: (column, key, value) => {
          if (column === 'tree') coming.set(latin1(key), value);
        },
        delete: (column, key) => {
          if (column === 'tree') coming.set(latin1(key), undefined);
        },
      });
    }
    keepVersions(batch, overwritten, newestMark, number, (keys) => {
      const stored = this.#store.getMany('tree', keys);
      return keys.map((key, index) => {
        const page = (coming.size === 0 ? undefined : coming.get(latin1(key))) ?? stored[index];
        if (page !== undefined) return page;
        throw new ProofError('damaged', `state tree: the stored page under ${toHex(key)} is missing`);
      });
    });
  }

  /** Looks which batches on their way have arrived. */
  #settle(): void {
    if (this.#unsettled.length === 0) return;
    const stored = storedBatch(this.#store);
    for (let first = this.#unsettled[0]; first !== undefined; first = this.#unsettled[0]) {
      if (first.number > stored) return;
      this.tree.confirm(first.handedOut);
      this.marks.settle(first.height);
      this.#unsettled.shift();
    }
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** Rule 4. */
async function rebuild(
  options: KeptTreeOptions,
  treeOptions: StateTreeOptions,
  tip: Tip,
  reason: string,
): Promise<StateTree> {
  const { store, onProgress, writePortion } = options;
  onProgress({ type: 'progress', stage: 'rebuild', reason, fraction: 0, keys: 0 });
  if (writePortion !== undefined) await removeStored(store, writePortion);
  const tree = StateTree.empty(treeOptions);
  let keys = 0;
  let step: TreeChange[] = [];
  // One portion is written while the next is worked out.
  let writing = Promise.resolve();
  const applyStep = async () => {
    tree.apply(step);
    keys += step.length;
    const last = step[step.length - 1];
    // Keys are hashes: how far the last one is in their order is how much has been done.
    const fraction = last === undefined ? 1 : Buffer.from(last.key).readUIntBE(0, 6) / 2 ** 48;
    onProgress({ type: 'progress', stage: 'rebuild', reason, fraction, keys });
    step = [];
    if (writePortion !== undefined && tree.dirtyPages >= PAGES_A_PORTION) {
      const batch = new WriteBatch();
      const number = tree.handOut(batch, tip.height);
      await writing;
      writing = writePortion(batch.finish()).then(() => tree.confirm(number));
    }
  };
  for (const [key, raw] of scanState(store)) {
    step.push({ key, value: splitRaw(raw).value });
    if (step.length === KEYS_A_STEP) await applyStep();
  }
  await applyStep();
  await writing;
  if (Buffer.compare(tree.root(), tip.stateRoot) !== 0) {
    throw new ProofError(
      'root_mismatch',
      `the stored state at height ${tip.height} has root ${toHex(tree.root())}, the block's header says ${toHex(tip.stateRoot)}: the state in this data directory is damaged; restore a backup or sync it anew`,
    );
  }
  onProgress({ type: 'progress', stage: 'rebuild', reason, fraction: 1, keys });
  return tree;
}

/** Takes the old pages and their height out of the store. */
async function removeStored(
  store: StoreReader,
  writePortion: (batch: Uint8Array<ArrayBuffer>) => Promise<void>,
): Promise<void> {
  let batch = new WriteBatch();
  batch.delete('meta', TREE_HEIGHT_KEY);
  for (const [key] of store.scan('tree', {})) {
    batch.delete('tree', key);
    if (batch.count < REMOVALS_A_PORTION) continue;
    await writePortion(batch.finish());
    batch = new WriteBatch();
  }
  if (batch.count > 0) await writePortion(batch.finish());
}
