import { join } from 'node:path';

/** The files of a validator's directory, as documented in `docs/validators.md`. @param directory absolute */
export function validatorPaths(directory: string) {
  return {
    /** The identity key. Secret. */
    identity: join(directory, 'identity.json'),
    /** The encryption keys. Secret. */
    encryption: join(directory, 'encryption.json'),
    /** The share of the group key. Secret. */
    share: join(directory, 'share.json'),
    /** The resharing record until its epoch is over. Secret. */
    resharing: join(directory, 'resharing.json'),
    /** The ceremony record until all participants have finished. Secret. */
    ceremony: join(directory, 'ceremony-record.json'),
    /** The number of the last ceremony attempt. */
    attempts: join(directory, 'ceremony-attempts.json'),
    genesis: join(directory, 'genesis.json'),
    /** The other validators and their endpoints, in the format of `peers-file.ts`. */
    peers: join(directory, 'peers.json'),
    /** The operator's approvals, in the format of `approvals-file.ts`. */
    approvals: join(directory, 'approvals.json'),
    /** The node's data directory. */
    data: join(directory, 'data'),
  };
}

export type ValidatorPaths = Readonly<ReturnType<typeof validatorPaths>>;
