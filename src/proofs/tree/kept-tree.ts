/**
 * The state tree between memory and store.
 *
 * 1. `meta/tree_height` says at which block the pages in column `tree` stand. Both are written in one batch, after the block's
 *    own commit, so the stored tree is never ahead of the chain unless the caller broke that order.
 *    `meta/tree_batch` counts these batches, which tells one that has been written from one that has not.
 * 2. Pages are handed out with the first block, then with the block after so many blocks or changed keys, and at a clean stop;
 *    but for that never while an earlier batch has not been seen in the store.
 * 3. At a start the tree opens at its height, and the keys that changed since (column `changes`) are set to their present
 *    values. This leads to the tip's state whatever the order of the changes was.
 * 4. Where that is not possible or does not lead to the tip's state root, the tree is rebuilt from column `state`.
 */

import type { Hashes } from '../../crypto/load-hashes.js';
import { toHex } from '../../idl/hex.js';
import { be64, readBe64 } from '../../storage/big-endian.js';
import { oldestHeight, readRawMany, scanState, splitKeys, splitRaw } from '../../storage/state.js';
import type { StoreReader } from '../../storage/store.js';
import { WriteBatch } from '../../storage/write-batch.js';
import type { ProofProgress, Tip } from '../messages.js';
import { ProofError } from '../proof-error.js';
import type { SortedChanges, TreeChange } from './sorted-changes.js';
import { StateTree, type StateTreeOptions } from './state-tree.js';

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

export class KeptTree {
  readonly #tree: StateTree;
  readonly #store: StoreReader;
  /** The block whose state the tree has; undefined before the genesis block. */
  #height: bigint | undefined;
  /** Whether the tree has been handed out as it is. */
  #complete: boolean;
  /** Rule 2: since the last batch. */
  #blocks = 0;
  #keys: number;
  /** The number of the last batch. */
  #batch: bigint;
  /** Waits for the next block. */
  #prepared: Uint8Array<ArrayBuffer> | undefined;
  /** Handed out or prepared, and not yet seen in the store. */
  #inFlight: number | undefined;

  private constructor(
    tree: StateTree,
    store: StoreReader,
    at: { readonly height: bigint | undefined; readonly complete: boolean; readonly unstoredKeys: number },
  ) {
    this.#tree = tree;
    this.#store = store;
    this.#height = at.height;
    this.#complete = at.complete;
    this.#keys = at.unstoredKeys;
    this.#batch = storedBatch(store);
  }

  /**
   * The tree at the tip (rules 3 and 4).
   * @throws ProofError `root_mismatch` where even a rebuilt tree does not have the tip's state root
   */
  static async open(options: KeptTreeOptions): Promise<KeptTree> {
    const { crypto, store, cacheBytes, tip } = options;
    const treeOptions = { crypto, store, cacheBytes };
    if (tip === undefined) {
      const nothing = { height: undefined, complete: false, unstoredKeys: 0 };
      return new KeptTree(StateTree.empty(treeOptions), store, nothing);
    }
    const { height } = tip;
    const opened = openStored(options, treeOptions, tip);
    if ('tree' in opened) return new KeptTree(opened.tree, store, { height, ...opened });
    const tree = await rebuild(options, treeOptions, tip, opened.reason);
    const rebuilt = new KeptTree(tree, store, { height, complete: false, unstoredKeys: KEYS_A_BATCH });
    if (options.writePortion !== undefined) await options.writePortion(rebuilt.#handOut(tip.height));
    return rebuilt;
  }

  /** 32 bytes. */
  root(): Uint8Array<ArrayBuffer> {
    return this.#tree.root();
  }

  /**
   * Applies a block's changes.
   * @returns a batch to be written after the block's commit, when there is one (rule 2)
   */
  advance(height: bigint, changes: SortedChanges): Uint8Array<ArrayBuffer> | undefined {
    const first = this.#height === undefined;
    this.#tree.applySorted(changes);
    this.#height = height;
    this.#complete = false;
    this.#blocks++;
    this.#keys += changes.count;
    if (first) return this.#handOut(height);
    const prepared = this.#prepared;
    this.#prepared = undefined;
    return prepared;
  }

  /**
   * Encodes the pages when they are due, to be handed out with the next block: to be called once a block has been answered, so
   * that no block waits for it.
   */
  prepare(): void {
    this.#settle();
    if (this.#height === undefined || this.#inFlight !== undefined) return;
    if (this.#blocks >= BLOCKS_A_BATCH || this.#keys >= KEYS_A_BATCH) {
      this.#prepared = this.#handOut(this.#height);
    }
  }

  /** All that is not stored yet, for a clean stop; undefined where nothing is missing. */
  finish(): Uint8Array<ArrayBuffer> | undefined {
    const height = this.#height;
    const prepared = this.#prepared;
    if (height === undefined || this.#complete) return prepared;
    const rest = this.#handOut(height);
    if (prepared === undefined) return rest;
    const batch = new WriteBatch();
    batch.append(prepared);
    batch.append(rest);
    return batch.finish();
  }

  #handOut(height: bigint): Uint8Array<ArrayBuffer> {
    const batch = new WriteBatch();
    const number = this.#tree.handOut(batch);
    this.#batch++;
    batch.put('meta', TREE_HEIGHT_KEY, be64(height));
    batch.put('meta', TREE_BATCH_KEY, be64(this.#batch));
    this.#inFlight = number;
    this.#complete = true;
    this.#blocks = 0;
    this.#keys = 0;
    return batch.finish();
  }

  /** Looks whether the batch on its way has arrived. */
  #settle(): void {
    if (this.#inFlight === undefined || storedBatch(this.#store) !== this.#batch) return;
    this.#tree.confirm(this.#inFlight);
    this.#inFlight = undefined;
  }
}

/** Rule 3. @returns why it is not possible, if so */
function openStored(
  options: KeptTreeOptions,
  treeOptions: StateTreeOptions,
  tip: Tip,
):
  | { readonly tree: StateTree; readonly complete: boolean; readonly unstoredKeys: number }
  | { readonly reason: string } {
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
    const tree = StateTree.open(treeOptions);
    const replayed = replay(options, tree, height, tip.height);
    if (replayed === undefined) {
      return {
        reason: `more than ${MAX_REPLAY_KEYS} keys changed since the stored state tree's height ${height}`,
      };
    }
    if (Buffer.compare(tree.root(), tip.stateRoot) !== 0) {
      return {
        reason: `the stored state tree has root ${toHex(tree.root())} at height ${tip.height}, the block's header says ${toHex(tip.stateRoot)}`,
      };
    }
    return { tree, complete: height === tip.height, unstoredKeys: replayed };
  } catch (error) {
    if (error instanceof ProofError && error.code === 'damaged') return { reason: error.message };
    throw error;
  }
}

/** Sets the keys that changed after `from` to their present values. @returns how many, or undefined where too many */
function replay(options: KeptTreeOptions, tree: StateTree, from: bigint, to: bigint): number | undefined {
  const { store, onProgress } = options;
  const changed = new Map<string, Uint8Array>();
  for (const [, list] of store.scan('changes', { gte: be64(from + 1n), lt: be64(to + 1n) })) {
    for (const key of splitKeys(list)) changed.set(Buffer.from(key).toString('latin1'), key);
    if (changed.size > MAX_REPLAY_KEYS) return undefined;
  }
  const keys = [...changed.values()];
  for (let start = 0; start < keys.length; start += KEYS_A_STEP) {
    const step = keys.slice(start, start + KEYS_A_STEP);
    const raws = readRawMany(store, step);
    tree.apply(
      step.map((key, index) => {
        const raw = raws[index];
        return { key, value: raw === undefined ? undefined : splitRaw(raw).value };
      }),
    );
    const done = start + step.length;
    onProgress({ type: 'progress', stage: 'replay', fraction: done / keys.length, keys: done });
  }
  return keys.length;
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
      const number = tree.handOut(batch);
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
