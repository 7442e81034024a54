import { readFileSync } from 'node:fs';
import { errorMessage } from '../base/errors.js';
import { CliError } from './cli-error.js';

/** Reads an access token from a file such as a node's `admin.token`. @throws CliError failure */
export function readTokenFile(file: string): string {
  try {
    const token = readFileSync(file, 'utf8').trim();
    if (/^[!-~]+$/.test(token)) return token;
  } catch (error) {
    const why = errorMessage(error);
    throw new CliError('failure', `--token-file: cannot read ${file}: ${why}`, { cause: error });
  }
  throw new CliError('failure', `--token-file: ${file}: expected a single word, the token`);
}
