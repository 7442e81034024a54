import { join } from 'node:path';

/** What the directory of a validator has; `docs/validators.md` tells people of it. */
export interface ValidatorPaths {
  /** The identity key. Secret. */
  readonly identity: string;
  /** The share of the group key. Secret. */
  readonly share: string;
  /** What is kept of a resharing until its epoch is over. Secret. */
  readonly resharing: string;
  /** What is kept of the birth ceremony until everybody has ended it. Secret. */
  readonly ceremony: string;
  /** The number of the last attempt at the ceremony. */
  readonly attempts: string;
  readonly genesis: string;
  /** Who else there is and where, as `peers-file.ts` reads it. */
  readonly peers: string;
  /** What the operator approves of, as `approvals-file.ts` reads it. */
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
