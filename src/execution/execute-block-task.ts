import type { Crypto } from '../crypto/crypto.js';
import { transactionFromEncoded } from '../ledger/verified-transaction.js';
import type { StoreReader } from '../storage/store.js';
import { atomicGroupsOf, type Candidates } from './atomic-groups.js';
import type { BlockEnvironment } from './block-environment.js';
import { BlockExecution, type ExecutedBlock } from './block-execution.js';
import type { ContractMachine } from './contract-machine.js';
import { CommittedState } from './state-source.js';

/** A block to be executed on the last committed one. */
export interface ExecuteBlockInput {
  readonly env: BlockEnvironment;
  /** borsh(SignedTransaction) each, signatures checked. */
  readonly candidates: Candidates<Uint8Array>;
}

/** Sent by the block executor. */
export interface BlockTasks {
  /** A block with contract calls, on the last committed one. */
  execute_block: { readonly input: ExecuteBlockInput; readonly result: ExecutedBlock };
}

/** Executes a block in a worker, one transaction after another. */
export function executeBlock(
  { env, candidates }: ExecuteBlockInput,
  store: StoreReader,
  crypto: Crypto,
  machine: ContractMachine,
): ExecutedBlock {
  const execution = new BlockExecution(env, new CommittedState(store, crypto), machine);
  const transactions = candidates.transactions.map((encoded) => transactionFromEncoded(encoded, crypto));
  for (const group of atomicGroupsOf({ ...candidates, transactions })) execution.add(group);
  return execution.finish();
}
