import { Option } from 'commander';
import type { CommandContext } from './command-context.js';
import { type LoadedKey, readKeyFile } from './key-file.js';
import type { PassphraseOptions } from './passphrase.js';

export function passphraseFileOption(): Option {
  return new Option(
    '--passphrase-file <FILE>',
    'file with the passphrase of the key file (default: HEDDLE_PASSPHRASE, else a terminal is asked)',
  );
}

/** Reads a key file, asks for its passphrase if it is encrypted, and prints warnings. @throws CliError */
export async function readKey(
  path: string,
  options: PassphraseOptions,
  context: CommandContext,
): Promise<LoadedKey> {
  const key = await readKeyFile(path, async () => {
    // Slow to load, and plain keys do not need it.
    const { askPassphrase, givenPassphrase } = await import('./passphrase.js');
    return givenPassphrase(options, context) ?? askPassphrase(path, false);
  });
  for (const warning of key.warnings) context.console.err(`warning: ${warning}\n`);
  return key;
}
