import type { Crypto } from '../crypto/crypto.js';
import { transactionFromItem } from '../ledger/transaction-envelope.js';
import { atomicGroupsOf, type Candidates } from './atomic-groups.js';
import type { BlockEnvironment } from './block-environment.js';
import { BlockExecution, type ExecutedBlock, type UsedBefore } from './block-execution.js';
import type { ContractMachine } from './contract-machine.js';
import type { SharedWrites } from './pending-writes.js';
import type { StateSource } from './state-source.js';

/** A block to be executed. */
export interface ExecuteBlockInput {
  /** The pending blocks that it is on; absent on the last committed one. */
  readonly branch?: readonly SharedWrites[];
  readonly env: BlockEnvironment;
  /** What the block's openings used, which are on the branch. */
  readonly before?: UsedBefore;
  /** borsh(BlockItem) of each, signatures checked. */
  readonly candidates: Candidates<Uint8Array>;
}

/** Sent by the block executor. */
export interface BlockTasks {
  /** A block with contract calls. */
  execute_block: { readonly input: ExecuteBlockInput; readonly result: ExecutedBlock };
}

/**
 * Executes a block in a worker, one transaction after another.
 * @param source the state after the block that it is on
 */
export function executeBlock(
  { env, before, candidates }: ExecuteBlockInput,
  source: StateSource,
  crypto: Crypto,
  machine: ContractMachine,
): ExecutedBlock {
  const execution = new BlockExecution(env, source, machine, before);
  const transactions = candidates.transactions.map((encoded) => transactionFromItem(encoded, crypto));
  for (const group of atomicGroupsOf({ ...candidates, transactions })) execution.add(group);
  return execution.finish();
}
