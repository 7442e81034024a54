import { setImmediate as nextTick } from 'node:timers/promises';
import type { Crypto } from '../crypto/crypto.js';
import type { ExecutedBlock } from '../execution/block-execution.js';
import type { Genesis } from '../generated/ledger.js';
import type { FinalityCertificate } from '../generated/node-rpc-v1.js';
import type { AccountChange } from '../ledger/account-cache.js';
import {
  appendBlock,
  appendTransactionIndexes,
  NO_CONTENT,
  type SealedBlock,
} from '../ledger/block-store.js';
import { appendCertificate } from '../ledger/certificate-store.js';
import { putGenesis, putTip } from '../ledger/chain-meta.js';
import { appendContractNames } from '../ledger/contract-names.js';
import { appendContractIndexes } from '../ledger/contract-store.js';
import { isDevelopmentChain } from '../ledger/dev-genesis.js';
import type { GenesisEntry } from '../ledger/genesis.js';
import type { AddressHex } from '../ledger/hex-types.js';
import { appendPayments } from '../ledger/payment-index.js';
import { appendGenesisNames, appendStateNames } from '../ledger/state-names.js';
import { appendTokenHolders } from '../ledger/token-holders.js';
import { endsEpoch } from '../ledger/validators/epochs.js';
import { putValidatorSet } from '../ledger/validators/validator-sets.js';
import type { BlockRoots } from '../proofs/block-roots.js';
import type { ProofService } from '../proofs/proof-service.js';
import { be64 } from '../storage/big-endian.js';
import { appendStateChanges } from '../storage/state.js';
import type { Store } from '../storage/store.js';
import { WriteBatch } from '../storage/write-batch.js';
import type { CommittedBlock } from './chain.js';
import type { PendingBlock } from './pending-blocks.js';

/*
 * The only place that writes blocks. A block is written as one batch: block, receipts, indexes, state, certificate,
 * history nodes and tip. The state tree is updated once the store has the batch, and listeners are called after that.
 */

export interface CommitParts {
  readonly store: Store;
  readonly proofs: Pick<ProofService, 'commit'>;
}

export interface CommitOptions {
  readonly certificate?: FinalityCertificate | undefined;
  /** Whether to wait until the block is on disk; an unsynced block reaches the disk with the next synced one. */
  readonly sync: boolean;
}

/** Writes a child of the last committed block. @throws StoreError */
export async function writeBlock(
  { store, proofs }: CommitParts,
  block: PendingBlock,
  { certificate, sync }: CommitOptions,
): Promise<void> {
  const batch = await commitBatch(block);
  if (certificate !== undefined) appendCertificate(batch, block.header.height, certificate);
  await store.write(batch, { sync });
  proofs.commit(block.roots.id, { height: block.header.height, hash: block.hash });
}

/** Writes the genesis block. @throws StoreError */
export async function writeGenesis(
  { store, proofs, crypto }: CommitParts & { readonly crypto: Crypto },
  genesis: Genesis,
  block: Pick<SealedBlock, 'header' | 'encodedHeader' | 'hash'> & {
    readonly state: readonly GenesisEntry[];
    readonly roots: BlockRoots;
  },
): Promise<void> {
  const { header, encodedHeader, hash, state, roots } = block;
  const batch = new WriteBatch();
  appendBlock(batch, { header, encodedHeader, hash, ...NO_CONTENT });
  const writes = state.map(({ key, value }) => ({ key, previous: undefined, value }));
  appendStateChanges(batch, 0n, writes);
  if (isDevelopmentChain(genesis.validator_set)) appendGenesisNames(batch, genesis, crypto);
  putGenesis(batch, genesis);
  putValidatorSet(batch, genesis.validator_set);
  putTip(batch, { height: 0n, hash });
  await store.write(batch, { sync: true });
  proofs.commit(roots.id, { height: 0n, hash });
}

/** The block in the form passed to `Chain.advance`. */
export function committedBlock(block: PendingBlock): CommittedBlock {
  const { header, hash, transactions, executed, epochs, slots } = block;
  const { writes } = executed;
  return { header, hash, transactions, accounts: changedAccounts(executed), writes, epochs, slots };
}

async function commitBatch(block: PendingBlock): Promise<WriteBatch> {
  const batch = new WriteBatch();
  const { height } = block.header;
  appendBlock(batch, block);
  // A full block takes several milliseconds: yields so that requests are answered in between.
  await nextTick();
  appendTransactionIndexes(batch, block);
  await nextTick();
  appendStateChanges(batch, height, block.executed.writes);
  await nextTick();
  appendContracts(batch, height, block.executed);
  for (const node of block.roots.mmrNodes) batch.put('mmr', be64(node.position), node.hash);
  const { parameters, validators } = block.epochs;
  if (isDevelopmentChain(validators)) appendStateNames(batch, block.executed.writes);
  if (endsEpoch(height, parameters.epoch_length)) putValidatorSet(batch, validators);
  putTip(batch, { height, hash: block.hash });
  return batch;
}

/** Appends code, interface texts, and the indexes of what the transactions did. */
function appendContracts(
  batch: WriteBatch,
  height: bigint,
  { codes, idls, writes, contractTransactions, events, payments }: ExecutedBlock,
): void {
  for (const { hash, bytes, prepared } of codes) {
    batch.put('code', hash, bytes);
    if (prepared !== undefined) batch.put('prepared', prepared.key, prepared.bytes);
  }
  for (const { hash, bytes } of idls) batch.put('idl', hash, bytes);
  appendContractNames(batch, writes, idls);
  appendContractIndexes(batch, height, contractTransactions, events);
  appendPayments(batch, height, payments);
  appendTokenHolders(batch, height, events);
}

function changedAccounts({ writes }: ExecutedBlock): AccountChange[] {
  return writes.flatMap(({ account, key, value }) =>
    account ? [{ address: account.address as AddressHex, record: account.record, key, value }] : [],
  );
}
