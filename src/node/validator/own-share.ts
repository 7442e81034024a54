import { sameBytes } from '../../base/same-bytes.js';
import { SecretFileError } from '../../consensus/files/secret-file.js';
import type { Bls } from '../../crypto/crypto.js';
import type { ValidatorSet } from '../../generated/ledger.js';
import type { ValidatorFiles } from './validator-files.js';

/**
 * Checks that the share in a validator's directory is that of its identity in the set of the share's epoch. Takes
 * milliseconds.
 * @param set of the share's first epoch; undefined if the chain does not know it, as before catching up
 * @throws SecretFileError `mismatch`
 */
export function expectOwnShare(
  bls: Pick<Bls, 'publicKey'>,
  { share, identity, paths }: Pick<ValidatorFiles, 'share' | 'identity' | 'paths'>,
  set: ValidatorSet | undefined,
): void {
  if (share === undefined || set === undefined) return;
  const { index, epoch } = share;
  const own = set.validators[index];
  if (own === undefined || !sameBytes(own.identity_key, identity.publicKey)) {
    throw new SecretFileError(
      'mismatch',
      `${paths.share}: it is of validator ${index} in epoch ${epoch}, which is not the one of ${paths.identity}`,
    );
  }
  if (sameBytes(bls.publicKey(share.share), own.share_public_key)) return;
  throw new SecretFileError(
    'mismatch',
    `${paths.share}: it does not match the share public key of validator ${index} in epoch ${epoch} of this chain`,
  );
}
