import { join } from 'node:path';

/** The files of a validator's directory, as documented in `docs/validators.md`. */
export interface ValidatorPaths {
  /** The identity key. Secret. */
  readonly identity: string;
  /** The share of the group key. Secret. */
  readonly share: string;
  /** The resharing record until its epoch is over. Secret. */
  readonly resharing: string;
  /** The ceremony record until all participants have finished. Secret. */
  readonly ceremony: string;
  /** The number of the last ceremony attempt. */
  readonly attempts: string;
  readonly genesis: string;
  /** The other validators and their endpoints, in the format of `peers-file.ts`. */
  readonly peers: string;
  /** The operator's approvals, in the format of `approvals-file.ts`. */
  readonly approvals: string;
  /** The node's data directory. */
  readonly data: string;
}

/** @param directory absolute */
export function validatorPaths(directory: string): ValidatorPaths {
  return {
    identity: join(directory, 'identity.json'),
    share: join(directory, 'share.json'),
    resharing: join(directory, 'resharing.json'),
    ceremony: join(directory, 'ceremony-record.json'),
    attempts: join(directory, 'ceremony-attempts.json'),
    genesis: join(directory, 'genesis.json'),
    peers: join(directory, 'peers.json'),
    approvals: join(directory, 'approvals.json'),
    data: join(directory, 'data'),
  };
}
