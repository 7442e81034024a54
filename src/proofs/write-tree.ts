import type { Store } from '../storage/store.js';
import { type BatchPieces, WriteBatch } from '../storage/write-batch.js';

/**
 * Stores pages of the state tree, if there are any. A block's pages are written after the block: a tree behind the tip
 * catches up at the next start, but a tree ahead of it would have to be rebuilt.
 * @param encoded a batch, as the proof worker encodes it
 */
export async function writeTree(store: Store, encoded: BatchPieces | undefined): Promise<void> {
  if (encoded === undefined) return;
  const batch = new WriteBatch();
  batch.adopt(encoded);
  await store.write(batch, { sync: false });
}
