import { formatAddress, type KeyScheme, newPrivateKey } from '../client/client.js';
import { toPrefixedHex } from '../idl/hex.js';
import { type JsonFlag, printAnswer } from './answer.js';
import type { CliCommand, CommandContext } from './cli-command.js';
import { addressOfEncrypted, passphraseFileOption, readKey, writeKeyFile } from './key-file.js';
import type { PassphraseOptions } from './passphrase.js';

export function registerKeysCommands(program: CliCommand, context: CommandContext): void {
  const keys = program.command('keys');

  keys
    .command('new')
    .description('make a private key and write it to a file that only you can read')
    .choice('--scheme <SCHEME>', 'kind of key', ['ed25519', 'secp256k1'], 'ed25519')
    .requiredOption('--out <FILE>', 'where to write it')
    .option('--encrypt', 'encrypt the key with a passphrase; so do --passphrase-file and HEDDLE_PASSPHRASE')
    .addOption(passphraseFileOption())
    .option('--force', 'overwrite an existing file; its key is lost')
    .json()
    .examples('heddle keys new --out alice.json', 'heddle keys new --out alice.json --encrypt')
    .action(async (options: NewKeyOptions) => {
      const { scheme, out } = options;
      const { askPassphrase, givenPassphrase } = await import('./passphrase.js');
      const given = givenPassphrase(options, context);
      const passphrase = given ?? (options.encrypt === true ? await askPassphrase(out, true) : undefined);
      const key = { scheme, privateKey: newPrivateKey(scheme), passphrase };
      const signer = await writeKeyFile(out, key, options.force === true);
      const kept = passphrase === undefined ? 'mode 0600' : 'encrypted, mode 0600';
      const address = formatAddress(signer.address);
      const values = { address, scheme, file: out, encrypted: passphrase !== undefined };
      printAnswer(context, options, values, `address  ${address}\nkey file ${out} (${scheme}, ${kept})\n`);
    });

  keys
    .command('encrypt')
    .description('encrypt the key of a file, or change its passphrase')
    .argument('<FILE>', 'a key file')
    .addOption(passphraseFileOption())
    .option('--new-passphrase-file <FILE>', 'file with the new passphrase (default: a terminal is asked)')
    .json()
    .notes('The plain key stays readable in copies and backups of the file, and perhaps on the disk.', '')
    .action(async (file: string, options: EncryptOptions) => {
      const { askPassphrase, givenPassphrase } = await import('./passphrase.js');
      const { privateKey, scheme, signer, isEncrypted } = await readKey(file, options, context);
      const { newPassphraseFile } = options;
      // A plain key has no passphrase yet, so the usual sources name the new one.
      const passphrase =
        newPassphraseFile !== undefined
          ? givenPassphrase({ passphraseFile: newPassphraseFile }, context)
          : isEncrypted
            ? await askPassphrase(file, true)
            : (givenPassphrase(options, context) ?? (await askPassphrase(file, true)));
      await writeKeyFile(file, { scheme, privateKey, passphrase }, true);
      const values = { address: formatAddress(signer.address), scheme, file, encrypted: true };
      printAnswer(context, options, values, `key file ${file} (${scheme}, encrypted, mode 0600)\n`);
    });

  keys
    .command('new-validator')
    .description('make the group key of a chain with one validator, for --validator-key and the genesis')
    .requiredOption('--out <FILE>', 'where to write it')
    .json()
    .examples('heddle keys new-validator --out validator.json')
    .action(async ({ out, ...options }: JsonFlag & { readonly out: string }) => {
      // The pairing library is slow to load, and other commands do not need it.
      const { writeValidatorKeyFile } = await import('./node/validator-key-file.js');
      const group_public_key = toPrefixedHex(await writeValidatorKeyFile(out));
      const text = `group_public_key ${group_public_key}\nkey file         ${out} (bls12-381, mode 0600)\n`;
      printAnswer(context, options, { group_public_key, file: out }, text);
    });

  keys
    .command('address')
    .description("print the address of a file's key")
    .argument('<FILE>', 'a key file, as "heddle keys new" writes it')
    .json()
    .action(async (file: string, options: JsonFlag) => {
      const known = addressOfEncrypted(file);
      const address = known ?? formatAddress((await readKey(file, {}, context)).signer.address);
      printAnswer(context, options, { address }, `${address}\n`);
    });
}

interface NewKeyOptions extends PassphraseOptions, JsonFlag {
  readonly scheme: KeyScheme;
  readonly out: string;
  readonly encrypt?: boolean;
  readonly force?: boolean;
}

interface EncryptOptions extends PassphraseOptions, JsonFlag {
  readonly newPassphraseFile?: string;
}
