import type { Client } from '../client/rpc-client.js';
import type { Signer } from '../client/signers.js';
import type { Action } from '../generated/ledger.js';
import type { LoadAccounts } from './load-accounts.js';
import type { Random } from './seeded-random.js';

/** One transaction of a load, without its envelope. */
export interface WorkItem {
  readonly action: Action;
  readonly gasLimit: bigint;
}

/** Generates the transactions of a profile whose contracts are set up. */
export interface Workload {
  /** The next transaction of the account with this index. */
  next(account: number, random: Random): WorkItem;
}

export interface LoadSetup {
  readonly client: Client;
  /** Pays for the setup and owns the deployed contracts. */
  readonly owner: Signer;
  readonly accounts: LoadAccounts;
  readonly signal: AbortSignal;
}

export interface LoadProfile {
  /** Human-readable description of the transactions. */
  readonly description: string;
  /** Sets up the contracts that the load needs. @throws LoadError, RpcCallError, ClientError */
  prepare(setup: LoadSetup): Promise<Workload>;
}
