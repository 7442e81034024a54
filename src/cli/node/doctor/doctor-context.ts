import type { Config } from '../../../config/config.js';
import type { Crypto } from '../../../crypto/crypto.js';
import type { Genesis } from '../../../generated/ledger.js';
import { isFollower, ownGenesis, type TrustAnchor, trustOf } from '../../../node/follower/trust-anchor.js';

/** A configuration under examination, with facts that several checks use. */
export interface DoctorContext {
  readonly config: Config;
  readonly crypto: Crypto;
  /** Pid of the node that uses the data directory. */
  readonly owner: number | undefined;
  /** Nodes whose clocks are compared with this machine's. */
  readonly urls: readonly string[];
  /** Directory of systemd credentials; undefined outside a unit that has some. */
  readonly credentials: string | undefined;
}

/** The trust anchor of a follower, or the genesis of a node that seals. @throws ConfigError, GenesisError */
export async function anchorOf({ config, crypto }: DoctorContext): Promise<TrustAnchor> {
  if (isFollower(config)) return trustOf(config, crypto);
  const genesis = await ownGenesis(config, crypto);
  return { groupPublicKey: genesis.validator_set.group_public_key, genesis };
}

/** The configured genesis; undefined if it is not needed, or invalid: the genesis check reports that. */
export async function genesisIfValid(context: DoctorContext): Promise<Genesis | undefined> {
  try {
    return (await anchorOf(context)).genesis;
  } catch {
    return undefined;
  }
}

/** `warning`: the node starts but may fail or be exposed later. `problem`: it does not start, or leaks a secret. */
export type Verdict = 'ok' | 'warning' | 'problem';

export interface Finding {
  readonly result: Verdict;
  readonly found: string;
  readonly expected: string;
  /** The remedy; absent if the result is ok. */
  readonly advice?: string;
}

export function ok(found: string, expected: string): Finding {
  return { result: 'ok', found, expected };
}

export function warning(found: string, expected: string, advice: string): Finding {
  return { result: 'warning', found, expected, advice };
}

export function problem(found: string, expected: string, advice: string): Finding {
  return { result: 'problem', found, expected, advice };
}
