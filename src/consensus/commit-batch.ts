import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExecutedBlock } from '../execution/block-execution.js';
import type { AccountChange } from '../ledger/account-cache.js';
import { appendBlock, appendTransactionIndexes } from '../ledger/block-store.js';
import { putTip } from '../ledger/chain-meta.js';
import { appendContractIndexes } from '../ledger/contract-store.js';
import { be64 } from '../storage/big-endian.js';
import { appendStateChanges } from '../storage/state.js';
import { WriteBatch } from '../storage/write-batch.js';
import type { BuiltBlock } from './block-builder.js';
import type { CommittedBlock } from './chain.js';

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

/** What the chain is told of a block once it is written. */
export function committedBlock({ header, hash, transactions, executed }: BuiltBlock): CommittedBlock {
  const { writes } = executed;
  return { header, hash, transactions, accounts: changedAccounts(executed), writes };
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
function changedAccounts({ writes }: ExecutedBlock): AccountChange[] {
  return writes.flatMap(({ account, key, value }) =>
    account === undefined ? [] : [{ ...account, key, value }],
  );
}
