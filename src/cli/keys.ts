import { type Command, Option } from 'commander';
import { formatAddress, type KeyScheme, newPrivateKey } from '../client/client.js';
import { toHex } from '../idl/hex.js';
import type { CommandContext } from './command-context.js';
import { readKeyFile, writeKeyFile } from './key-file.js';

/** `heddle keys new`, `heddle keys new-validator` and `heddle keys address`. */
export function registerKeysCommands(program: Command, { console }: CommandContext): void {
  const keys = program.command('keys').description('create and inspect private keys');

  keys
    .command('new')
    .description('make a private key and write it to a file that only you can read')
    .addOption(
      new Option('--scheme <SCHEME>', 'kind of key').choices(['ed25519', 'secp256k1']).default('ed25519'),
    )
    .requiredOption('--out <FILE>', 'where to write it')
    .option('--force', 'overwrite an existing file; its key is lost')
    .addHelpText('after', '\nExample:\n  $ heddle keys new --out alice.json\n')
    .action(async (options: { scheme: KeyScheme; out: string; force?: boolean }) => {
      const key = { scheme: options.scheme, privateKey: newPrivateKey(options.scheme) };
      const signer = await writeKeyFile(options.out, key, options.force === true);
      console.out(
        `address  ${formatAddress(signer.address)}\nkey file ${options.out} (${options.scheme}, mode 0600)\n`,
      );
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
    .action((file: string) => {
      const { signer, warnings } = readKeyFile(file);
      for (const warning of warnings) console.err(`warning: ${warning}\n`);
      console.out(`${formatAddress(signer.address)}\n`);
    });
}
