import type { BlockRoots } from '../../src/proofs/block-roots.js';
import type { TreeChange } from '../../src/proofs/tree/sorted-changes.js';
import { writeTree } from '../../src/proofs/write-tree.js';
import { be64 } from '../../src/storage/big-endian.js';
import { appendStateChanges } from '../../src/storage/state.js';
import type { Store } from '../../src/storage/store.js';
import { WriteBatch } from '../../src/storage/write-batch.js';

/** Writes what a block changed, and what the proof worker made of it, as the chain does; not synced. */
export async function commitBlock(
  store: Store,
  height: bigint,
  changes: readonly TreeChange[],
  roots: BlockRoots,
): Promise<void> {
  const previous = store.getMany(
    'state',
    changes.map(({ key }) => key),
  );
  const batch = new WriteBatch();
  appendStateChanges(
    batch,
    height,
    changes.map((change, index) => ({ ...change, previous: previous[index] })),
  );
  for (const node of roots.mmrNodes) batch.put('mmr', be64(node.position), node.hash);
  await store.write(batch, { sync: false });
  await writeTree(store, roots.treeBatch);
}
