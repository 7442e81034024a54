import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { errorMessage } from '../../base/errors.js';
import { formatAddress, newPrivateKey } from '../../client/client.js';
import { validatorPublicKey } from '../../consensus/validator-key.js';
import { loadBls } from '../../crypto/load-bls.js';
import { loadCrypto } from '../../crypto/load-crypto.js';
import type { Genesis, GenesisAccount } from '../../generated/ledger.js';
import { toPrefixedHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import { DEV_GAS_LIMIT, devAllocation } from '../../ledger/dev-genesis.js';
import { checkGenesis } from '../../ledger/genesis.js';
import { printAnswer, writeText } from '../answer.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { CliError } from '../cli-error.js';
import { readText } from '../contract/contract-handle.js';
import { readKey, writeKeyFile } from '../key-file.js';
import { writeValidatorKeyFile } from '../node/validator-key-file.js';
import { integerBetween } from '../option-parsers.js';
import { amount, address as parseAccount } from '../values.js';

interface NewGenesisOptions {
  readonly out: string;
  readonly chainId: number;
  readonly account: readonly GenesisAccount[];
  readonly accounts?: string;
  readonly devAccounts?: boolean;
  readonly validatorKey?: string;
  readonly feeAccount?: string;
  readonly gasLimit: number;
  readonly baseFee: bigint;
  readonly epochLength?: number;
  readonly force?: boolean;
  readonly json?: boolean;
}

export function registerGenesisCommands(program: CliCommand, context: CommandContext): void {
  const genesis = program.command('genesis');
  genesis
    .command('new')
    .description('write the genesis of a chain with one validator, and the keys that it lacks')
    .requiredOption('--chain-id <N>', 'id of the chain', integerBetween(1, Number.MAX_SAFE_INTEGER))
    .option('--out <FILE>', 'where to write it', 'genesis.json')
    .option('--account <ADDRESS=AMOUNT>', 'an account and its balance; may be repeated', allocated, [])
    .option('--accounts <FILE>', 'further accounts, a line each: ADDRESS,AMOUNT')
    .option('--dev-accounts', 'fund the ten development accounts, whose keys are public')
    .option(
      '--validator-key <FILE>',
      'key of the validator; made if it is not there (default: validator.json beside the genesis)',
    )
    .option(
      '--fee-account <FILE>',
      "ed25519 key of the validator's account, which collects the fees; made if it is not there (default: fees.json beside the genesis)",
    )
    .option('--gas-limit <GAS>', 'of every block', integerBetween(1_000_000, 1e12), Number(DEV_GAS_LIMIT))
    .addOption(
      // Help cannot print a bigint.
      new Option('--base-fee <AMOUNT>', 'of block 1, per unit of gas').argParser(amount).default(1n, '1'),
    )
    .option('--epoch-length <N>', 'blocks of an epoch (default: 10000)', integerBetween(2, 1e15))
    .option('--force', 'overwrite an existing genesis; keys are never overwritten')
    .json()
    .notes('A chain of several validators gets its genesis from "heddle init --validators" and "heddle dkg".')
    .examples(
      'heddle genesis new --chain-id 77 --account 0x5f0c…91=1e24',
      'heddle genesis new --chain-id 77 --accounts balances.csv --out chain/genesis.json',
      'heddle start --genesis genesis.json --validator-key validator.json --data-dir chain-data',
    )
    .action((options: NewGenesisOptions) => newGenesis(options, context));
}

async function newGenesis(options: NewGenesisOptions, context: CommandContext): Promise<void> {
  const { console, workingDirectory } = context;
  const out = resolve(workingDirectory, options.out);
  const beside = (given: string | undefined, name: string) =>
    given === undefined ? join(dirname(out), name) : resolve(workingDirectory, given);
  const keys = {
    validator: beside(options.validatorKey, 'validator.json'),
    fees: beside(options.feeAccount, 'fees.json'),
  };
  if (existsSync(out) && options.force !== true) {
    throw new CliError(`${out}: the file exists; choose another --out, or --force`);
  }
  const [crypto, bls] = [await loadCrypto('auto'), await loadBls('auto')];
  const accounts = [
    ...options.account,
    ...(options.accounts === undefined ? [] : accountsIn(resolve(workingDirectory, options.accounts))),
    ...(options.devAccounts === true ? devAllocation(crypto) : []),
  ];
  // Checked before any key is made.
  const draft: Genesis = {
    chain_id: BigInt(options.chainId),
    timestamp_ms: BigInt(Date.now()),
    gas_limit: BigInt(options.gasLimit),
    base_fee: options.baseFee,
    validator_set: { epoch: 0n, quorum: 1, group_public_key: new Uint8Array(48), validators: [] },
    accounts,
    ...(options.epochLength !== undefined && { epoch_length: BigInt(options.epochLength) }),
  };
  checkGenesis(
    withValidator(draft, new Uint8Array(48), { publicKey: new Uint8Array(32), address: new Uint8Array(20) }),
  );
  await mkdir(dirname(out), { recursive: true });
  const hadKey = existsSync(keys.validator);
  const groupKey = hadKey
    ? validatorPublicKey(keys.validator, bls)
    : await writeValidatorKeyFile(keys.validator);
  const { signer } = await feeKey(keys.fees, context);
  const genesis = withValidator(draft, groupKey, signer);
  await writeText(out, `${JSON.stringify(JSON.parse(ledger.Genesis.toJson(genesis)), null, 2)}\n`);
  const total = accounts.reduce((sum, { balance }) => sum + balance, 0n);
  const values = {
    file: out,
    chain_id: genesis.chain_id,
    accounts: accounts.length,
    total_balance: String(total),
    validator_key_file: keys.validator,
    validator_key_is_new: !hadKey,
    group_public_key: toPrefixedHex(groupKey),
    fee_account_file: keys.fees,
    fee_account: formatAddress(signer.address),
  };
  const lines = [
    `genesis      ${out}: chain ${genesis.chain_id}, ${accounts.length} accounts with ${total} together`,
    `validator    ${keys.validator} (${hadKey ? 'as it was' : 'new'}), group key ${toPrefixedHex(groupKey)}`,
    `fees         ${keys.fees}, account ${formatAddress(signer.address)}`,
  ];
  printAnswer(context, options, values, `${lines.join('\n')}\n`);
  if (accounts.length === 0) {
    console.err(
      'warning: no account has a balance; fund some with --account, --accounts or --dev-accounts\n',
    );
  }
}

function withValidator(
  draft: Genesis,
  groupKey: Uint8Array,
  { publicKey, address }: { readonly publicKey: Uint8Array; readonly address: Uint8Array },
): Genesis {
  const validator = { index: 0, address, identity_key: publicKey, share_public_key: groupKey };
  const set = { ...draft.validator_set, group_public_key: groupKey, validators: [validator] };
  return { ...draft, validator_set: set };
}

/** The key of the validator's account, made if there is none. @throws CliError */
async function feeKey(path: string, context: CommandContext): ReturnType<typeof readKey> {
  if (!existsSync(path)) {
    await writeKeyFile(path, { scheme: 'ed25519', privateKey: newPrivateKey('ed25519') }, false);
  }
  const key = await readKey(path, {}, context);
  if (key.scheme === 'ed25519') return key;
  throw new CliError(`${path}: a validator's account has an ed25519 key, got ${key.scheme}`);
}

/** Reads a file of accounts; empty lines and lines that begin with # are skipped. @throws CliError with the line */
function accountsIn(path: string): GenesisAccount[] {
  return readText(path, '.')
    .split(/\r?\n/)
    .flatMap((line, index) => {
      if (/^\s*(#|$)/.test(line)) return [];
      const [address = '', balance = '', ...rest] = line.split(',');
      try {
        if (rest.length > 0) throw new InvalidArgumentError('expected ADDRESS,AMOUNT');
        return [{ address: parseAccount(address.trim()), balance: amount(balance.trim()) }];
      } catch (error) {
        throw new CliError(`${path}, line ${index + 1}: ${errorMessage(error)}`, { cause: error });
      }
    });
}

/** Parses ADDRESS=AMOUNT, and adds it to the ones before. @throws InvalidArgumentError */
export function allocated(text: string, previous: readonly GenesisAccount[] = []): readonly GenesisAccount[] {
  const [address = '', balance = ''] = text.split('=');
  try {
    return [...previous, { address: parseAccount(address), balance: amount(balance) }];
  } catch (error) {
    throw new InvalidArgumentError(errorMessage(error));
  }
}
