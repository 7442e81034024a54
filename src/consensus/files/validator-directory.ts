import { join } from 'node:path';

/** The files of a validator's directory, as documented in `docs/validators.md`. @param directory absolute */
export function validatorPaths(directory: string) {
  return {
    identity: join(directory, 'identity.json'),
    encryption: join(directory, 'encryption.json'),
    share: join(directory, 'share.json'),
    /** The resharing record until its epoch is over. Secret. */
    resharing: join(directory, 'resharing.json'),
    /** The ceremony record until all participants have finished. Secret. */
    ceremony: join(directory, 'ceremony-record.json'),
    attempts: join(directory, 'ceremony-attempts.json'),
    genesis: join(directory, 'genesis.json'),
    /** The other validators and their endpoints, in the format of `peers-file.ts`. */
    peers: join(directory, 'peers.json'),
    /** The operator's approvals, in the format of `approvals-file.ts`. */
    approvals: join(directory, 'approvals.json'),
    data: join(directory, 'data'),
  };
}

export type ValidatorPaths = Readonly<ReturnType<typeof validatorPaths>>;
