/**
 * The state tree between memory and store.
 *
 * 1. A batch of pages (tree-writer.ts) always holds the tree of a committed block, so the stored tree is never ahead
 *    of the chain. If the tree is at a pending block when a batch is due, it first goes back to the committed one
 *    (tree-branches.ts).
 * 2. A batch begins at the first block; after a certain number of blocks, changed keys or bytes of changed pages;
 *    after a marked height (tree-marks.ts); and at a clean stop. Except for marks and the stop, no batch begins while
 *    an earlier one has not arrived in the store. If many bytes have changed while a batch is being prepared, the
 *    rest of it does not wait for idle time: large blocks leave so little that the next batch would grow and grow.
 * 3. At startup the tree opens at its stored height, and the keys that changed since (column `changes`) are set to
 *    their current values. This gives the tip's state regardless of the order of the changes. The replay pauses at
 *    the checkpoint heights on the way, whose trees are written and marked.
 * 4. If that is impossible, or does not give the tip's state root, the tree is rebuilt from column `state`. Marks and
 *    versions are deleted with the old pages; trees of old heights are derived from the new one.
 */

import { sameBytes } from '../../base/same-bytes.js';
import { toHex } from '../../idl/hex.js';
import { readBe64 } from '../../storage/big-endian.js';
import { latin1 } from '../../storage/latin1.js';
import { changedKeys, oldestHeight, readManyAt } from '../../storage/state.js';
import type { StoreReader } from '../../storage/store.js';
import type { BatchPieces } from '../../storage/write-batch.js';
import { ProofError } from '../proof-error.js';
import type { Tip } from '../proof-messages.js';
import { type RebuildOptions, rebuildTree } from './rebuild-tree.js';
import type { SortedChanges } from './sorted-changes.js';
import { StateTree } from './state-tree.js';
import { TopRecords } from './top-records.js';
import { type TreeBlock, TreeBranches } from './tree-branches.js';
import { TreeMarks } from './tree-marks.js';
import { TREE_HEIGHT_KEY, TreeWriter } from './tree-writer.js';

/** Rule 2: limits per batch. The number of keys limits the replay at startup to a few tenths of a second. */
const BLOCKS_A_BATCH = 256;
const KEYS_A_BATCH = 50_000;
/** Rule 2: the share of page memory that dirty pages may use before a batch is due. */
const DIRTY_SHARE = 1 / 8;
/** Rule 2: the share at which the batch in progress must end. Half of it costs large blocks a quarter more. */
const HURRY_SHARE = 1 / 4;
/** Above this number of changed keys, a replay is usually slower than a rebuild. */
const MAX_REPLAY_KEYS = 500_000;
/** Number of keys read and applied in one step of a replay. */
const KEYS_A_STEP = 8192;

export interface KeptTreeOptions extends RebuildOptions {
  /** Distance between checkpoints, in heights. A checkpoint's tree stays readable until its mark is dropped. */
  readonly checkpointInterval: bigint;
}

/** The height of the stored tree, or undefined if there is no complete one. */
export function storedTreeHeight(store: StoreReader): bigint | undefined {
  const bytes = store.get('meta', TREE_HEIGHT_KEY);
  if (bytes === undefined) return undefined;
  if (bytes.length !== 8) {
    throw new ProofError('damaged', `meta/tree_height: expected 8 bytes, got ${bytes.length}`);
  }
  return readBe64(bytes, 0);
}

export class KeptTree {
  readonly tree: StateTree;
  readonly marks: TreeMarks;
  readonly #store: StoreReader;
  readonly #writer: TreeWriter;
  readonly #branches: TreeBranches;
  /** Undefined until the first block is applied. */
  #tops: TopRecords | undefined;
  readonly #cacheBytes: number;
  /** Height of the last committed block; undefined before the genesis block. */
  #height: bigint | undefined;
  /** True if the flush of the last committed block's tree has begun. */
  #complete: boolean;
  /** True if the last committed height must be marked and its flush, due before the next commit, has not begun. */
  #markDue = false;
  /** Rule 2: counts since the last batch. */
  #blocks = 0;
  #keys = 0;

  private constructor(
    tree: StateTree,
    { store, cacheBytes, checkpointInterval }: KeptTreeOptions,
    at: { readonly height: bigint | undefined; readonly complete: boolean },
  ) {
    this.tree = tree;
    this.marks = new TreeMarks(store, checkpointInterval);
    this.#store = store;
    this.#writer = new TreeWriter(tree, this.marks, store);
    this.#branches = new TreeBranches(tree);
    this.#cacheBytes = cacheBytes;
    this.#height = at.height;
    this.#complete = at.complete;
  }

  /** Opens the tree at the tip (rules 3, 4). @throws ProofError `root_mismatch` if even a rebuilt one differs */
  static async open(options: KeptTreeOptions, tip: Tip | undefined): Promise<KeptTree> {
    if (tip === undefined) {
      return new KeptTree(StateTree.empty(options), options, { height: undefined, complete: false });
    }
    const opened = await KeptTree.#openStored(options, tip);
    if (opened instanceof KeptTree) return opened;
    const tree = await rebuildTree(options, tip.height, opened.reason);
    expectRoot(tree, tip);
    return KeptTree.#keep(tree, options, tip.height);
  }

  /** Builds and stores the tree of a state whose root no header has yet. @param height of the block that will have it */
  static async build(options: KeptTreeOptions, height: bigint): Promise<KeptTree> {
    const tree = await rebuildTree(options, height, 'the state is new');
    return KeptTree.#keep(tree, options, height);
  }

  /** Stores a rebuilt tree. */
  static async #keep(tree: StateTree, options: KeptTreeOptions, height: bigint): Promise<KeptTree> {
    const rebuilt = new KeptTree(tree, options, { height, complete: false });
    rebuilt.#markDue = true;
    rebuilt.marks.discard();
    const { writePortion } = options;
    if (writePortion !== undefined) await rebuilt.#flushAll(height, writePortion);
    return rebuilt;
  }

  /** Rule 3. @returns the tree, or the reason why it must be rebuilt */
  static async #openStored(
    options: KeptTreeOptions,
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
      const kept = new KeptTree(StateTree.open(options), options, { height, complete: true });
      if (!(await kept.#replay(options, height, tip.height))) {
        return {
          reason: `more than ${MAX_REPLAY_KEYS} keys changed since the stored state tree's height ${height}`,
        };
      }
      const root = kept.tree.root();
      if (!sameBytes(root, tip.stateRoot)) {
        return {
          reason: `the stored state tree has root ${toHex(root)} at height ${tip.height}, the block's header says ${toHex(tip.stateRoot)}`,
        };
      }
      return kept;
    } catch (error) {
      if (error instanceof ProofError && error.code === 'damaged') return { reason: error.message };
      throw error;
    }
  }

  /** @returns false if there are too many keys to replay */
  async #replay({ writePortion, onProgress }: KeptTreeOptions, from: bigint, to: bigint): Promise<boolean> {
    const stages: { readonly height: bigint; readonly keys: readonly Uint8Array[] }[] = [];
    let total = 0;
    let changed = new Map<string, Uint8Array>();
    for (let height = from + 1n; height <= to; height++) {
      for (const key of changedKeys(this.#store, height)) changed.set(latin1(key), key);
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
        await this.#flushAll(height, writePortion);
        this.#writer.settle();
      }
    }
    return true;
  }

  get tip(): TreeBlock {
    return this.#branches.tip;
  }

  /** Applies a block's changes to its parent's tree; its root is then the block's state root. */
  apply(parent: TreeBlock, changes: SortedChanges): TreeBlock {
    // Before the first application, the tree is that of the last committed block.
    this.#tops ??= new TopRecords(this.#store, this.tree.top());
    return this.#branches.apply(parent, changes);
  }

  commit(block: TreeBlock, height: bigint): void {
    // From here on, the tree cannot go back to the current tip.
    if (this.#markDue && this.#height !== undefined) this.#begin(this.#height);
    const first = this.#height === undefined;
    const { count } = block.changes;
    this.#tops?.add(height, block.top);
    this.#branches.commit(block);
    this.#advanced(height, count);
    if (first) this.#begin(height);
    if (first || this.tree.cache.dirtyBytes >= this.#cacheBytes * HURRY_SHARE) this.#writer.complete();
  }

  moveToTip(): void {
    this.#branches.moveTo(this.#branches.tip);
  }

  /** Takes the batches that are due for writing, in order. */
  take(): readonly BatchPieces[] {
    return [...this.#writer.take(), ...(this.#tops?.take() ?? [])];
  }

  /**
   * Drops some data that is needed only below the oldest served height, one step per call.
   * @returns marks to drop, and the batch that drops them; other changes are part of the next {@link take}
   */
  drop(oldest: bigint): ReturnType<TreeMarks['drop']> {
    this.#tops?.drop(oldest);
    return this.marks.drop(oldest);
  }

  #advanced(height: bigint, changedKeys: number): void {
    this.#height = height;
    this.#complete = false;
    this.#blocks++;
    this.#keys += changedKeys;
    this.#markDue = this.marks.isDue(height, changedKeys);
  }

  /** Runs one step of work between blocks: begins and prepares a batch, evicts pages. @returns true if there is more */
  runIdleStep(): boolean {
    this.#writer.settle();
    if (this.#height !== undefined && !this.#complete) {
      const isDue =
        this.#blocks >= BLOCKS_A_BATCH ||
        this.#keys >= KEYS_A_BATCH ||
        this.tree.cache.dirtyBytes >= this.#cacheBytes * DIRTY_SHARE;
      if (this.#markDue || (isDue && this.#writer.isSettled)) this.#begin(this.#height);
    }
    this.tree.evict();
    return this.#writer.step();
  }

  /** Returns all pages that are not stored yet as one batch, for a clean stop; undefined if there are none. */
  finish(): BatchPieces | undefined {
    if (this.#height !== undefined && !this.#complete) this.#begin(this.#height);
    this.#writer.complete();
    const batches = this.take();
    return batches.length === 0 ? undefined : batches.flat();
  }

  #begin(height: bigint): void {
    this.moveToTip();
    this.#writer.begin(height, this.#markDue);
    this.#markDue = false;
    this.#complete = true;
    this.#blocks = 0;
    this.#keys = 0;
  }

  async #flushAll(height: bigint, writePortion: NonNullable<KeptTreeOptions['writePortion']>): Promise<void> {
    this.#begin(height);
    this.#writer.complete();
    for (const batch of this.#writer.take()) await writePortion(batch);
  }
}

/** @throws ProofError `root_mismatch` */
function expectRoot(tree: StateTree, tip: Tip): void {
  if (sameBytes(tree.root(), tip.stateRoot)) return;
  throw new ProofError(
    'root_mismatch',
    `the stored state at height ${tip.height} has root ${toHex(tree.root())}, the block's header says ${toHex(tip.stateRoot)}: the state in this data directory is damaged; restore a backup or sync again`,
  );
}
