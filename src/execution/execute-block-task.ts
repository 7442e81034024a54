import type { Crypto } from '../crypto/crypto.js';
import { transactionFromEncoded } from '../ledger/verified-transaction.js';
import type { StoreReader } from '../storage/store.js';
import type { BlockEnvironment } from './block-environment.js';
import { BlockExecution, type ExecutedBlock } from './block-execution.js';
import type { ContractMachine } from './contract-machine.js';
import { CommittedState } from './state-source.js';

/** A block to be executed on the last committed one. */
export interface ExecuteBlockInput {
  readonly env: BlockEnvironment;
  /** borsh(SignedTransaction) of the candidates, signatures checked, in block order. */
  readonly transactions: readonly Uint8Array[];
}

/** Executes a block in a worker, one transaction after another. */
export function executeBlock(
  { env, transactions }: ExecuteBlockInput,
  store: StoreReader,
  crypto: Crypto,
  machine: ContractMachine,
): ExecutedBlock {
  const execution = new BlockExecution(env, new CommittedState(store, crypto), machine);
  for (const encoded of transactions) execution.add(transactionFromEncoded(encoded, crypto));
  return execution.finish();
}
