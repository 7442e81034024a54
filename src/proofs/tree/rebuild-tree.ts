import { valueOfRaw } from '../../storage/state.js';
import type { StoreReader } from '../../storage/store.js';
import { type BatchPieces, WriteBatch } from '../../storage/write-batch.js';
import type { ProofProgress } from '../proof-messages.js';
import { LeafHasher } from './leaf-hashing.js';
import { ChangeList } from './sorted-changes.js';
import { StateTree, type StateTreeOptions } from './state-tree.js';
import { TREE_HEIGHT_KEY } from './tree-writer.js';

const KEYS_A_STEP = 8192;
/** Size of dirty pages at which a batch is written: an absolute maximum, and a share of the page memory. */
const MAX_PORTION_BYTES = 32 * 1024 * 1024;
const PORTION_SHARE = 1 / 8;
const REMOVALS_A_PORTION = 65_536;

export interface RebuildOptions extends StateTreeOptions {
  readonly store: StoreReader;
  readonly onProgress: (progress: ProofProgress) => void;
  /**
   * Writes a batch of pages during a rebuild; resolves once the store has it. If absent, a rebuilt tree stays in
   * memory until the next block.
   */
  readonly writePortion?: (batch: BatchPieces) => Promise<void>;
}

/**
 * Rebuilds the tree from column `state`, in ascending key order.
 *
 * Hot path: guarded by bench/tree.bench.ts.
 * @param height of the last block whose changes are in the state
 */
export async function rebuildTree(
  options: RebuildOptions,
  height: bigint,
  reason: string,
): Promise<StateTree> {
  const { crypto, store, onProgress, writePortion } = options;
  onProgress({ type: 'progress', stage: 'rebuild', reason, fraction: 0, keys: 0 });
  if (writePortion !== undefined) await removeStored(store, writePortion);
  const tree = StateTree.empty(options);
  const portionBytes = Math.min(MAX_PORTION_BYTES, options.cacheBytes * PORTION_SHARE);
  let keys = 0;
  const leaves = new LeafHasher(crypto);
  let step = new ChangeList(leaves, KEYS_A_STEP);
  let lastKey: Uint8Array | undefined;
  // One portion is written while the next is prepared.
  let writing = Promise.resolve();
  const applyStep = async () => {
    tree.applySorted(step.sorted());
    keys += step.count;
    // Keys are hashes, so the position of the last one in key order measures progress.
    const fraction = lastKey === undefined ? 1 : Buffer.from(lastKey).readUIntBE(0, 6) / 2 ** 48;
    onProgress({ type: 'progress', stage: 'rebuild', reason, fraction, keys });
    step = new ChangeList(leaves, KEYS_A_STEP);
    if (writePortion !== undefined && tree.cache.dirtyBytes >= portionBytes) {
      const flush = tree.flush(height);
      const pieces = flush.finish();
      await writing;
      writing = writePortion(pieces).then(() => {
        tree.cache.confirm(flush.number);
        tree.cache.chunks.giveBack(pieces);
      });
    }
  };
  for (const [key, raw] of store.scan('state', {})) {
    lastKey = key;
    step.add(key, 0, valueOfRaw(raw));
    if (step.count === KEYS_A_STEP) await applyStep();
  }
  await applyStep();
  await writing;
  onProgress({ type: 'progress', stage: 'rebuild', reason, fraction: 1, keys });
  return tree;
}

/** Deletes the old pages and their height from the store. */
async function removeStored(
  store: StoreReader,
  writePortion: (batch: BatchPieces) => Promise<void>,
): Promise<void> {
  let batch = new WriteBatch();
  batch.delete('meta', TREE_HEIGHT_KEY);
  for (const [key] of store.scan('tree', {})) {
    batch.delete('tree', key);
    if (batch.count < REMOVALS_A_PORTION) continue;
    await writePortion(batch.finishPieces());
    batch = new WriteBatch();
  }
  if (batch.count > 0) await writePortion(batch.finishPieces());
}
