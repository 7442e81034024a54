import { Option } from 'commander';
import { type Client, formatAddress, formatAmount } from '../../client/client.js';
import { plainType } from '../../client/value-words.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import type { CliCommand } from '../cli-command.js';
import { CliError, UsageError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { atOption, blockAt } from '../common-options.js';
import { type OpenContract, openContract } from '../contract/contract-handle.js';
import { decimalsOf, symbolOf } from '../contract/token-units.js';
import { integerBetween } from '../option-parsers.js';
import { address, decimals } from '../values.js';
import { accountAt } from './account-state.js';
import { askNode, type ReadOptions } from './ask-node.js';
import { DEFAULT_TOKENS, MAX_TOKENS, printTokens } from './token-list.js';

interface BalanceOptions extends ReadOptions {
  readonly at?: bigint;
  readonly decimals?: number;
  readonly token?: Uint8Array;
  readonly tokens?: boolean;
  readonly limit?: number;
  readonly idl?: string;
}

export function registerBalanceCommand(program: CliCommand, context: CommandContext): void {
  program
    .command('balance')
    .argument('<ADDRESS>', 'the account', address)
    .addOption(atOption())
    .option('--decimals <N>', 'count in units of 10^N (default: 0, for a token its own decimals)', decimals)
    .option('--token <CONTRACT>', 'the token to count instead of the native balance', address)
    .addOption(
      new Option('--tokens', 'all tokens that the account holds, one a line').conflicts([
        'token',
        'decimals',
      ]),
    )
    .option(
      '--limit <N>',
      `with --tokens: contracts to ask (default: ${DEFAULT_TOKENS})`,
      integerBetween(1, MAX_TOKENS),
    )
    .option('--idl <FILE>', "with --token: the token's interface (default: the one on chain)")
    .reading()
    .examples(
      'heddle balance dev:0 --decimals 18',
      'heddle balance 0x5f0c…91 --at 1200',
      'heddle balance dev:1 --token 0x682c…1b',
      'heddle balance dev:1 --tokens',
    )
    .action(async (of: Uint8Array, options: BalanceOptions) => {
      if (options.idl !== undefined && options.token === undefined) {
        throw new UsageError('--idl needs --token CONTRACT');
      }
      if (options.limit !== undefined && options.tokens !== true) {
        throw new UsageError('--limit needs --tokens');
      }
      await askNode(options, context, async (client) => {
        if (options.tokens) return printTokens(client, of, options, context);
        const text =
          options.token === undefined
            ? await native(client, of, options)
            : await inToken(client, of, options.token, options, context);
        context.console.out(`${text}\n`);
      });
    });
}

async function native(client: Client, of: Uint8Array, options: BalanceOptions): Promise<string> {
  const account = await accountAt(client, of, options.at);
  return options.json ? rpcTypes.Account.toJson(account) : formatAmount(account.balance, options.decimals);
}

async function inToken(
  client: Client,
  of: Uint8Array,
  token: Uint8Array,
  options: BalanceOptions,
  { workingDirectory }: CommandContext,
): Promise<string> {
  const { idl, json } = options;
  const at = blockAt(options.at);
  const opened = await openContract(client, token, {
    ...(idl !== undefined && { idlFile: idl }),
    workingDirectory,
  });
  expectBalances(opened);
  const [answer, ownDecimals, symbol] = await Promise.all([
    opened.handle.view('balance_of', [formatAddress(of)], at),
    decimalsOf(opened, at),
    symbolOf(opened, at),
  ]);
  const places = options.decimals ?? ownDecimals;
  if (json) {
    return JSON.stringify({
      address: formatAddress(of),
      token: formatAddress(token),
      balance: answer,
      ...(ownDecimals === undefined ? {} : { decimals: ownDecimals }),
      ...(symbol === undefined ? {} : { symbol }),
    });
  }
  return `${formatAmount(BigInt(String(answer)), places)}${symbol === undefined ? '' : ` ${symbol}`}`;
}

/** @throws CliError unless the interface has `view balance_of(owner: address)` with an unsigned result */
function expectBalances({ contract, manifest }: OpenContract): void {
  const found = contract.functions.find(({ name }) => name === 'balance_of');
  const [owner, second] = found?.params ?? [];
  const takesOwner =
    owner !== undefined && second === undefined && plainType(owner.type, manifest) === 'address';
  const { returns } = found ?? {};
  const answersAmount = returns !== undefined && /^u\d+$/.test(plainType(returns, manifest) ?? '');
  if (found?.kind === 'view' && takesOwner && answersAmount) return;
  throw new CliError(
    `${contract.name} is no token: its interface lacks view balance_of(owner: address) with an unsigned result`,
  );
}
