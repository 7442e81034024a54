import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { errorMessage } from '../../base/errors.js';
import {
  identityOf,
  type ValidatorIdentity,
  writeIdentityFile,
} from '../../consensus/files/identity-file.js';
import type { Passphrase } from '../../consensus/files/passphrase.js';
import { type ValidatorPaths, validatorPaths } from '../../consensus/files/validator-directory.js';
import type { Crypto } from '../../crypto/crypto.js';
import { CliError } from '../cli-error.js';

/**
 * Creates a validator's directory, mode 0700, with a new identity key.
 * @throws CliError if there is an identity already; SecretFileError
 */
export async function createIdentity(
  crypto: Crypto,
  directory: string,
  passphrase: Passphrase | undefined,
): Promise<{ readonly identity: ValidatorIdentity; readonly paths: ValidatorPaths }> {
  const paths = validatorPaths(directory);
  if (existsSync(paths.identity)) {
    throw new CliError(
      'failure',
      `${paths.identity}: there is an identity already; choose another directory`,
    );
  }
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason = errorMessage(error);
    throw new CliError('failure', `${directory}: cannot make the directory: ${reason}`, { cause: error });
  }
  const identity = identityOf(crypto, Uint8Array.from(randomBytes(32)));
  await writeIdentityFile(paths.identity, identity, passphrase);
  return { identity, paths };
}
