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

/** What a profile sends once everything that it needs is on the chain. */
export interface Workload {
  /** The next transaction of the account with this number. */
  next(account: number, random: Random): WorkItem;
}

/** What a profile is set up with. */
export interface LoadSetup {
  readonly client: Client;
  /** Pays for the set-up, and owns what is deployed. */
  readonly owner: Signer;
  readonly accounts: LoadAccounts;
  readonly signal: AbortSignal;
}

/** A kind of load. */
export interface LoadProfile {
  /** For people: what is sent. */
  readonly description: string;
  /**
   * Puts on the chain what the load needs.
   * @throws LoadError, RpcCallError, ClientError
   */
  prepare(setup: LoadSetup): Promise<Workload>;
}
