import { type Command, Option } from 'commander';
import { formatAddress, type KeyScheme, newPrivateKey } from '../client/client.js';
import { toHex } from '../idl/hex.js';
import type { CommandContext } from './command-context.js';
import { addressOfEncrypted, writeKeyFile } from './key-file.js';
import type { PassphraseOptions } from './passphrase.js';
import { passphraseFileOption, readKey } from './signing-key.js';

/** `heddle keys new`, `encrypt`, `new-validator` and `address`. */
export function registerKeysCommands(program: Command, context: CommandContext): void {
  const { console } = context;
  const keys = program.command('keys').description('create and inspect private keys');

  keys
    .command('new')
    .description('make a private key and write it to a file that only you can read')
    .addOption(
      new Option('--scheme <SCHEME>', 'kind of key').choices(['ed25519', 'secp256k1']).default('ed25519'),
    )
    .requiredOption('--out <FILE>', 'where to write it')
    .option('--encrypt', 'encrypt the key with a passphrase; so do --passphrase-file and HEDDLE_PASSPHRASE')
    .addOption(passphraseFileOption())
    .option('--force', 'overwrite an existing file; its key is lost')
    .addHelpText(
      'after',
      '\nExamples:\n  $ heddle keys new --out alice.json\n  $ heddle keys new --out alice.json --encrypt\n',
    )
    .action(async (options: NewKeyOptions) => {
      const { scheme, out } = options;
      const { askPassphrase, givenPassphrase } = await import('./passphrase.js');
      const given = givenPassphrase(options, context);
      const passphrase = given ?? (options.encrypt === true ? await askPassphrase(out, true) : undefined);
      const key = { scheme, privateKey: newPrivateKey(scheme), passphrase };
      const signer = await writeKeyFile(out, key, options.force === true);
      const kept = passphrase === undefined ? 'mode 0600' : 'encrypted, mode 0600';
      console.out(`address  ${formatAddress(signer.address)}\nkey file ${out} (${scheme}, ${kept})\n`);
    });

  keys
    .command('encrypt')
    .description('encrypt the key of a file, or change its passphrase')
    .argument('<FILE>', 'a key file')
    .addOption(passphraseFileOption())
    .addOption(
      new Option(
        '--new-passphrase-file <FILE>',
        'file with the new passphrase (default: a terminal is asked)',
      ),
    )
    .addHelpText(
      'after',
      '\nThe plain key stays readable in copies and backups of the file, and perhaps on the disk.\n',
    )
    .action(async (file: string, options: EncryptOptions) => {
      const { askPassphrase, givenPassphrase } = await import('./passphrase.js');
      const { privateKey, scheme, isEncrypted } = await readKey(file, options, context);
      const { newPassphraseFile } = options;
      // A plain key has no passphrase yet, so the usual sources name the new one.
      const passphrase =
        newPassphraseFile !== undefined
          ? givenPassphrase({ passphraseFile: newPassphraseFile }, context)
          : isEncrypted
            ? await askPassphrase(file, true)
            : (givenPassphrase(options, context) ?? (await askPassphrase(file, true)));
      await writeKeyFile(file, { scheme, privateKey, passphrase }, true);
      console.out(`key file ${file} (${scheme}, encrypted, mode 0600)\n`);
    });

  keys
    .command('new-validator')
    .description('make the group key of a chain with one validator, for --validator-key and the genesis')
    .requiredOption('--out <FILE>', 'where to write it')
    .addHelpText('after', '\nExample:\n  $ heddle keys new-validator --out validator.json\n')
    .action(async ({ out }: { out: string }) => {
      // The pairing library is slow to load, and other commands do not need it.
      const { writeValidatorKeyFile } = await import('./node/validator-key-file.js');
      const publicKey = await writeValidatorKeyFile(out);
      console.out(`group_public_key 0x${toHex(publicKey)}\nkey file         ${out} (bls12-381, mode 0600)\n`);
    });

  keys
    .command('address')
    .description("print the address of a file's key")
    .argument('<FILE>', 'a key file, as "heddle keys new" writes it')
    .action(async (file: string) => {
      const known = addressOfEncrypted(file);
      console.out(`${known ?? formatAddress((await readKey(file, {}, context)).signer.address)}\n`);
    });
}

interface NewKeyOptions extends PassphraseOptions {
  readonly scheme: KeyScheme;
  readonly out: string;
  readonly encrypt?: boolean;
  readonly force?: boolean;
}

interface EncryptOptions extends PassphraseOptions {
  readonly newPassphraseFile?: string;
}
