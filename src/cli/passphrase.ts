import { read } from 'read';
import { Passphrase } from '../consensus/files/passphrase.js';
import { configuredPassphrase } from '../node/validator/validator-files.js';
import type { CommandContext } from './cli-command.js';
import { CliError, UsageError } from './cli-error.js';

export interface PassphraseOptions {
  readonly passphraseFile?: string;
}

/** The passphrase of the option or of HEDDLE_PASSPHRASE; undefined if neither is set. @throws PassphraseError */
export function givenPassphrase(
  { passphraseFile }: PassphraseOptions,
  { environment }: CommandContext,
): Passphrase | undefined {
  const passphrase = environment['HEDDLE_PASSPHRASE'];
  return configuredPassphrase({
    passphraseFile,
    ...(passphrase !== undefined && passphrase !== '' && { passphrase }),
  });
}

/**
 * Asks the terminal for a passphrase, without showing it.
 * @param path the key file, for the question
 * @param isNew asks twice
 * @throws CliError if there is no terminal, or the answers differ or are empty
 */
export async function askPassphrase(path: string, isNew: boolean): Promise<Passphrase> {
  if (process.stdin.isTTY !== true) {
    throw new UsageError(
      `${path}: a passphrase is needed, and there is no terminal to ask: give --passphrase-file FILE or HEDDLE_PASSPHRASE`,
    );
  }
  const text = await ask(`${isNew ? 'new passphrase' : 'passphrase'} of ${path}: `);
  if (text === '') throw new CliError(`${path}: the passphrase is empty`);
  if (isNew && (await ask('the same again: ')) !== text) {
    throw new CliError(`${path}: the two passphrases differ; nothing was written`);
  }
  return new Passphrase(text);
}

async function ask(prompt: string): Promise<string> {
  try {
    return await read({ prompt, silent: true, output: process.stderr });
  } catch (error) {
    // Ctrl-C and the end of the input.
    throw new CliError('no passphrase was given', { cause: error });
  }
}
