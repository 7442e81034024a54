import { appendBlock } from '../ledger/block-store.js';
import { putTip } from '../ledger/chain-meta.js';
import type { BlockRoots } from '../proofs/proof-service.js';
import { be64 } from '../storage/big-endian.js';
import { appendStateChanges } from '../storage/state.js';
import type { Store } from '../storage/store.js';
import { WriteBatch } from '../storage/write-batch.js';
import type { BuiltBlock } from './block-builder.js';

/** Everything that committing a block writes: the block, its indexes, the state, the history tree's nodes, the tip. */
export function commitBatch(block: BuiltBlock): WriteBatch {
  const batch = new WriteBatch();
  const { height } = block.header;
  appendBlock(batch, block);
  appendStateChanges(batch, height, block.changes);
  for (const node of block.roots.mmrNodes) batch.put('mmr', be64(node.position), node.hash);
  putTip(batch, { height, hash: block.hash });
  return batch;
}

/**
 * Stores what the state tree hands out, after the block that it belongs to: a tree behind the tip is caught up at the
 * next start, one ahead of it would have to be rebuilt.
 */
export async function writeTree(store: Store, roots: BlockRoots): Promise<void> {
  if (roots.treeBatch === undefined) return;
  const batch = new WriteBatch();
  batch.append(roots.treeBatch);
  await store.write(batch, { sync: false });
}
