import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { errorMessage } from '../../base/errors.js';
import {
  type EncryptionKey,
  newEncryptionKey,
  writeEncryptionFile,
} from '../../consensus/files/encryption-file.js';
import {
  identityOf,
  type ValidatorIdentity,
  writeIdentityFile,
} from '../../consensus/files/identity-file.js';
import type { Passphrase } from '../../consensus/files/passphrase.js';
import { type ValidatorPaths, validatorPaths } from '../../consensus/files/validator-directory.js';
import type { Bls, Crypto } from '../../crypto/crypto.js';
import type { NewValidator } from '../../generated/ledger.js';
import { CliError } from '../cli-error.js';

export interface CreatedValidator {
  readonly identity: ValidatorIdentity;
  readonly encryption: EncryptionKey;
  readonly paths: ValidatorPaths;
}

/** Makes a directory, mode 0700, with new keys. @throws CliError if it has an identity already; SecretFileError */
export async function createIdentity(
  { crypto, bls }: { readonly crypto: Crypto; readonly bls: Bls },
  directory: string,
  passphrase: Passphrase | undefined,
): Promise<CreatedValidator> {
  const paths = validatorPaths(directory);
  if (existsSync(paths.identity)) {
    throw new CliError(`${paths.identity}: there is an identity already; choose another directory`);
  }
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new CliError(`${directory}: cannot make the directory: ${errorMessage(error)}`, { cause: error });
  }
  const random = (length: number) => Uint8Array.from(randomBytes(length));
  const identity = identityOf(crypto, random(32));
  const encryption = newEncryptionKey(bls, random);
  // The identity comes last, because its presence marks completion.
  await writeEncryptionFile(paths.encryption, [encryption], passphrase);
  await writeIdentityFile(paths.identity, identity, passphrase);
  return { identity, encryption, paths };
}

/** What the other validators need to know of a created one. */
export function publicIdentity({ identity, encryption }: CreatedValidator, endpoint: string): NewValidator {
  return { identity_key: identity.publicKey, encryption_key: encryption.publicKey, endpoint };
}
