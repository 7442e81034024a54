import { readFileSync } from 'node:fs';
import { errorMessage } from '../../base/errors.js';
import { sameBytes } from '../../base/same-bytes.js';
import type { Config } from '../../config/config.js';
import { type EncryptionKey, readEncryptionFile } from '../../consensus/files/encryption-file.js';
import { readIdentityFile, type ValidatorIdentity } from '../../consensus/files/identity-file.js';
import { Passphrase } from '../../consensus/files/passphrase.js';
import { readPeersFile } from '../../consensus/files/peers-file.js';
import { isMissing, PublicFileError } from '../../consensus/files/public-file.js';
import { SecretFileError } from '../../consensus/files/secret-file.js';
import { readShareFile, type ValidatorShare } from '../../consensus/files/share-file.js';
import { type ValidatorPaths, validatorPaths } from '../../consensus/files/validator-directory.js';
import type { Bls, Crypto } from '../../crypto/crypto.js';
import type { NewValidator, ValidatorSet } from '../../generated/ledger.js';

export interface ValidatorFiles {
  readonly paths: ValidatorPaths;
  readonly passphrase: Passphrase | undefined;
  readonly identity: ValidatorIdentity;
  /** At least one, oldest first. */
  readonly encryptionKeys: readonly EncryptionKey[];
  /** Undefined until the validator gets its first share. */
  readonly share: ValidatorShare | undefined;
  readonly peers: readonly NewValidator[];
}

/** Thrown if the passphrase of a validator's files is unavailable. */
export class PassphraseError extends Error {
  override readonly name = 'PassphraseError';
}

type PassphraseConfig = Pick<Config, 'passphraseFile' | 'passphrase'>;

/** The passphrase: the file's, without its final line break, or the environment's. @throws PassphraseError */
export function configuredPassphrase(config: PassphraseConfig): Passphrase | undefined {
  const { passphraseFile, passphrase } = config;
  if (passphraseFile === undefined) return passphrase === undefined ? undefined : new Passphrase(passphrase);
  let text: string;
  try {
    text = readFileSync(passphraseFile, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const reason = errorMessage(error);
    throw new PassphraseError(`${passphraseFile}: cannot read the passphrase: ${reason}`, { cause: error });
  }
  if (text === '') throw new PassphraseError(`${passphraseFile}: the passphrase is empty`);
  return new Passphrase(text);
}

/**
 * Checks that `heddle init` created the validator's directory and that it has a genesis. Runs before the node creates
 * any file.
 * @param validator absolute path; undefined on a node that is not one of several validators
 * @throws PublicFileError
 */
export function expectValidatorDirectory({ validator, genesisFile }: Config): void {
  if (validator === undefined) return;
  const paths = validatorPaths(validator);
  if (isMissing(paths.identity)) {
    const message = `${paths.identity}: there is no identity; "heddle init ${validator}" makes one`;
    throw new PublicFileError(message);
  }
  if (isMissing(paths.encryption)) {
    throw new PublicFileError(
      `${paths.encryption}: there are no encryption keys; restore the file that "heddle init" made beside the identity`,
    );
  }
  for (const path of [genesisFile ?? paths.genesis, paths.peers]) {
    if (!isMissing(path)) continue;
    throw new PublicFileError(
      `${path}: there is no such file; "heddle dkg" makes it for a new chain; to join an existing chain, copy genesis.json ` +
        'and peers.json from another validator',
    );
  }
}

/** @throws SecretFileError, PublicFileError, PassphraseError */
export async function readValidatorFiles(
  config: PassphraseConfig,
  directory: string,
  { crypto, bls }: { readonly crypto: Crypto; readonly bls: Bls },
): Promise<ValidatorFiles> {
  const paths = validatorPaths(directory);
  const passphrase = configuredPassphrase(config);
  const identity = await readIdentityFile(crypto, paths.identity, passphrase);
  const encryptionKeys = await readEncryptionFile(bls, paths.encryption, passphrase);
  const share = await readShareFile(paths.share, passphrase);
  return { paths, passphrase, identity, encryptionKeys, share, peers: readPeersFile(paths.peers) };
}

/**
 * Checks that the share in a validator's directory is that of its identity in the set of the share's epoch. Takes
 * milliseconds.
 * @param set of the share's first epoch; undefined if the chain does not know it, as before catching up
 * @throws SecretFileError `mismatch`
 */
export function expectOwnShare(
  bls: Bls,
  { share, identity, paths }: ValidatorFiles,
  set: ValidatorSet | undefined,
): void {
  if (share === undefined || set === undefined) return;
  const { index, epoch } = share;
  const own = set.validators[index];
  if (own === undefined || !sameBytes(own.identity_key, identity.publicKey)) {
    throw new SecretFileError(
      'mismatch',
      `${paths.share}: it belongs to validator ${index} in epoch ${epoch}, which is not the one of ${paths.identity}`,
    );
  }
  if (sameBytes(bls.publicKey(share.share), own.share_public_key)) return;
  throw new SecretFileError(
    'mismatch',
    `${paths.share}: it does not match the share public key of validator ${index} in epoch ${epoch} of this chain`,
  );
}
