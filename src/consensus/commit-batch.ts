import type { ExecutedBlock } from '../execution/block-execution.js';
import type { AccountChange } from '../ledger/account-cache.js';
import { appendBlock, appendTransactionIndexes } from '../ledger/block-store.js';
import { putTip } from '../ledger/chain-meta.js';
import { appendContractIndexes } from '../ledger/contract-store.js';
import type { BlockRoots } from '../proofs/block-roots.js';
import { be64 } from '../storage/big-endian.js';
import { appendStateChanges } from '../storage/state.js';
import type { Store } from '../storage/store.js';
import { WriteBatch } from '../storage/write-batch.js';
import type { BuiltBlock } from './block-builder.js';
import { nextTurn } from './next-turn.js';

/** Everything that committing a block writes: the block, its indexes, the state, the history tree's nodes, the tip. */
export async function commitBatch(block: BuiltBlock): Promise<WriteBatch> {
  const batch = new WriteBatch();
  const { height } = block.header;
  appendBlock(batch, block);
  // Several milliseconds for a full block: callers are answered in between.
  await nextTurn();
  appendTransactionIndexes(batch, block);
  await nextTurn();
  appendStateChanges(batch, height, block.executed.writes);
  appendContracts(batch, height, block.executed);
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

/** Code, interface texts, and the indexes by contract and event. */
function appendContracts(
  batch: WriteBatch,
  height: bigint,
  { codes, idls, involved, events }: ExecutedBlock,
): void {
  for (const { hash, bytes, prepared } of codes) {
    batch.put('code', hash, bytes);
    if (prepared !== undefined) batch.put('prepared', prepared.key, prepared.bytes);
  }
  for (const { hash, bytes } of idls) batch.put('idl', hash, bytes);
  appendContractIndexes(batch, height, involved, events);
}

/** The accounts among what a block writes. */
export function changedAccounts({ writes }: ExecutedBlock): AccountChange[] {
  return writes.flatMap(({ account, key, value }) =>
    account === undefined ? [] : [{ ...account, key, value }],
  );
}
