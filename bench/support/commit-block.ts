import type { BlockRoots } from '../../src/proofs/block-roots.js';
import type { ProofService } from '../../src/proofs/proof-service.js';
import type { TreeChange } from '../../src/proofs/tree/sorted-changes.js';
import { be64 } from '../../src/storage/big-endian.js';
import { appendStateChanges } from '../../src/storage/state.js';
import type { Store } from '../../src/storage/store.js';
import { WriteBatch } from '../../src/storage/write-batch.js';

/** Commits only the parts of a block that the state tree needs, without a sync. */
export async function commitBlock(
  { store, proofs }: { readonly store: Store; readonly proofs: Pick<ProofService, 'commit'> },
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
  proofs.commit(roots.id, { height, hash: roots.stateRoot });
}
