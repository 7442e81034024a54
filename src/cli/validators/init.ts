import { resolve } from 'node:path';
import { formatAddress } from '../../client/address-text.js';
import { checkConfiguration } from '../../consensus/ceremony/configuration.js';
import { readPeersFile } from '../../consensus/files/peers-file.js';
import { PublicFileError } from '../../consensus/files/public-file.js';
import { loadBls } from '../../crypto/load-bls.js';
import { loadCrypto } from '../../crypto/load-crypto.js';
import type { GenesisAccount } from '../../generated/ledger.js';
import type { CeremonyConfiguration } from '../../generated/mesh.js';
import { ledger } from '../../ledger/codecs.js';
import { DEV_CHAIN_ID, DEV_GAS_LIMIT, devAllocation } from '../../ledger/dev-genesis.js';
import { isEndpoint } from '../../ledger/validators/check-change.js';
import { configuredPassphrase } from '../../node/validator/validator-files.js';
import { printAnswer } from '../answer.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { UsageError } from '../cli-error.js';
import { addNodeOptions, configOf } from '../node/node-options.js';
import { integerBetween } from '../option-parsers.js';
import { writeConfigurationFile } from './configuration-file.js';
import { allocated } from './genesis.js';
import { createIdentity, publicIdentity } from './new-identity.js';

interface InitOptions {
  readonly validators?: string;
  readonly endpoint?: string;
  readonly out?: string;
  readonly chainId: number;
  readonly gasLimit: number;
  readonly epochLength?: number;
  readonly devAccounts?: boolean;
  readonly account?: readonly GenesisAccount[];
  readonly json?: boolean;
}

export function registerInitCommand(program: CliCommand, context: CommandContext): void {
  const command = program
    .command('init')
    .argument('[DIR]', "the validator's directory; made if it is not there")
    .option('--endpoint <HOST:PORT>', 'for a validator: its address for the others')
    .option(
      '--validators <FILE>',
      'for a chain: JSON array of the public identities of all its first validators',
    )
    .option('--out <FILE>', 'for a chain: file for the agreed configuration (default: ceremony.json)')
    .option('--chain-id <N>', 'of a chain', integerBetween(1, Number.MAX_SAFE_INTEGER), Number(DEV_CHAIN_ID))
    .option('--gas-limit <GAS>', 'of every block', integerBetween(1_000_000, 1e12), Number(DEV_GAS_LIMIT))
    .option('--epoch-length <N>', 'blocks of an epoch (default: 10000)', integerBetween(2, 1e15))
    .option('--account <ADDRESS=AMOUNT>', 'an account and its initial balance; may be repeated', allocated)
    .json()
    .option('--dev-accounts', 'fund the ten development accounts, whose keys are public');
  addNodeOptions(command, ['passphraseFile']);
  command
    .notes(
      'Each operator creates a validator and sends the printed line to the others. One of them puts the lines into a',
      'JSON array and creates the configuration from it, which all of them pass to heddle dkg.',
    )
    .examples(
      'heddle init /var/lib/heddle --endpoint validator-0.example:9645',
      'heddle init --validators validators.json --chain-id 77 --account 0x5f0c…91=1e24 --out ceremony.json',
    )
    .action(async (directory: string | undefined, options: InitOptions, self: CliCommand) => {
      if ((directory === undefined) === (options.validators === undefined)) {
        throw new UsageError('give DIR to make a validator, or --validators FILE to make a chain');
      }
      if (directory !== undefined) await initValidator(directory, options, self, context);
      else await initChain(options, context);
    });
}

async function initValidator(
  directory: string,
  { endpoint }: InitOptions,
  command: CliCommand,
  context: CommandContext,
): Promise<void> {
  if (endpoint === undefined || !isEndpoint(endpoint)) {
    const got = endpoint === undefined ? 'nothing' : JSON.stringify(endpoint);
    throw new UsageError(
      `--endpoint: expected this validator's address for the others, HOST:PORT, got ${got}`,
    );
  }
  const passphrase = configuredPassphrase(configOf(command, context));
  const parts = { crypto: await loadCrypto('auto'), bls: await loadBls('auto') };
  const path = resolve(context.workingDirectory, directory);
  const created = await createIdentity(parts, path, passphrase);
  const { identity, paths } = created;
  const kept = passphrase === undefined ? 'mode 0600' : 'encrypted';
  context.console.err(
    `validator ${formatAddress(identity.address)}; its keys are in ${paths.identity} and ${paths.encryption} (${kept})\n`,
  );
  context.console.out(`${ledger.NewValidator.toJson(publicIdentity(created, endpoint))}\n`);
}

async function initChain(options: InitOptions, context: CommandContext): Promise<void> {
  const { console, workingDirectory } = context;
  const validators = readPeersFile(resolve(workingDirectory, options.validators ?? ''));
  const [crypto, bls] = [await loadCrypto('auto'), await loadBls('auto')];
  const accounts = [
    ...(options.account ?? []),
    ...(options.devAccounts === true ? devAllocation(crypto) : []),
  ];
  const configuration: CeremonyConfiguration = {
    chain_id: BigInt(options.chainId),
    timestamp_ms: BigInt(Date.now()),
    gas_limit: BigInt(options.gasLimit),
    base_fee: 1n,
    accounts,
    ...(options.epochLength === undefined ? {} : { epoch_length: BigInt(options.epochLength) }),
    validators,
  };
  try {
    checkConfiguration(configuration, bls);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new PublicFileError(`a chain cannot start with this configuration: ${error.message}`, {
      cause: error,
    });
  }
  const out = resolve(workingDirectory, options.out ?? 'ceremony.json');
  await writeConfigurationFile(out, configuration);
  printAnswer(
    context,
    options,
    { file: out, chain_id: configuration.chain_id, validators: validators.length },
    `${out}: chain ${configuration.chain_id} of ${validators.length} validators; give it to each of them\n`,
  );
  if (accounts.length === 0)
    console.err('warning: no account has a balance; fund some with --account or --dev-accounts\n');
}
