import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { mersenne } from 'pure-rand/generator/mersenne';
import type { Client } from '../client/rpc-client.js';
import type { Signer } from '../client/signers.js';
import type { Action } from '../generated/ledger.js';
import type { LoadAccounts } from './load-accounts.js';

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
  readonly description: string;
  /** Sets up the contracts that the load needs. @throws LoadError, RpcCallError, ClientError */
  prepare(setup: LoadSetup): Promise<Workload>;
}

/** Returns numbers in [0, 1). */
export type Random = () => number;

/** A generator with a reproducible sequence per seed. Not for keys. */
export function seededRandom(seed: number): Random {
  const generator = mersenne(seed);
  return () => uniformFloat64(generator);
}

/** An integer from 0 to `bound` − 1. */
export function randomBelow(random: Random, bound: number): number {
  return Math.floor(random() * bound);
}
