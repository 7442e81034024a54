import type { Crypto } from '../crypto/crypto.js';
import { transactionFromItem } from '../ledger/transaction-envelope.js';
import { atomicGroupsOf } from './atomic-groups.js';
import type { BlockEnvironment } from './block-environment.js';
import { BlockExecution, type PriorUsage } from './block-execution.js';
import { type PackedBlock, type PackedCandidates, packBlock, unpackCandidates } from './block-wire.js';
import type { ContractMachine } from './contract-machine.js';
import type { SharedWrites } from './pending-writes.js';
import type { StateSource } from './state-source.js';

export interface ExecuteBlockInput {
  /** The block's pending ancestors; absent if its parent is the last committed block. */
  readonly branch?: readonly SharedWrites[];
  readonly env: BlockEnvironment;
  /** Gas and tips of the block's openings, which are part of the branch. */
  readonly before?: PriorUsage;
  /** Candidates with verified signatures. */
  readonly candidates: PackedCandidates;
}

/** Sent by the block executor. */
export interface BlockTasks {
  /** A block with contract calls. */
  execute_block: { readonly input: ExecuteBlockInput; readonly result: PackedBlock };
}

/**
 * Executes a block in a worker, one transaction after another.
 * @param source the state after the block's parent
 */
export function executeBlock(
  { env, before, candidates }: ExecuteBlockInput,
  source: StateSource,
  crypto: Crypto,
  machine: ContractMachine,
): PackedBlock {
  const execution = new BlockExecution(env, source, machine, before);
  const { transactions: encoded, bundles } = unpackCandidates(candidates);
  const transactions = encoded.map((item) => transactionFromItem(item, crypto));
  for (const group of atomicGroupsOf({ transactions, bundles })) execution.add(group);
  return packBlock(execution.finish());
}
