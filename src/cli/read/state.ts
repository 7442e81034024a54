import { Option } from 'commander';
import { defined } from '../../base/defined.js';
import {
  type Client,
  formatAddress,
  formatAmount,
  formatHash,
  type TokenBalance,
  tokenBalances,
} from '../../client/client.js';
import { plainType } from '../../client/value-words.js';
import type { Account } from '../../generated/node-rpc-v1.js';
import { toPrefixedHex } from '../../idl/hex.js';
import type { JsonValue } from '../../idl/json-value.js';
import { ledger } from '../../ledger/codecs.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { CliError, UsageError } from '../cli-error.js';
import { atOption, blockAt } from '../connection-options.js';
import { decimalsOf, symbolOf } from '../contract/contract-arguments.js';
import { type OpenContract, openContract } from '../contract/contract-handle.js';
import { integerBetween } from '../option-parsers.js';
import { askNode, columns, type Lines, type NodeCommandOptions } from '../sending-options.js';
import { address, decimals, slot as slotValue } from '../values.js';

/**
 * Reads an account after the last block, or after that of a height. An earlier state says nothing about the pool, so no
 * lane has pending transactions there.
 */
export async function accountAt(client: Client, address: Uint8Array, at?: bigint): Promise<Account> {
  if (at === undefined) return client.account({ address });
  const { account } = await client.state_proof({ contract: address, ...blockAt(at) });
  const record = account.value === undefined ? undefined : ledger.AccountRecord.decode(account.value);
  return {
    address,
    exists: record !== undefined,
    balance: record?.balance ?? 0n,
    lanes: (record?.lanes ?? []).map((lane) => ({ ...lane, pending: 0 })),
    deploy_index: record?.deploy_index ?? 0n,
    is_contract: record?.contract !== undefined,
  };
}

export function registerAccountCommand(program: CliCommand, context: CommandContext): void {
  program
    .command('account')
    .argument('<ADDRESS>', 'the account', address)
    .addOption(atOption())
    .reading()
    .examples('heddle account dev:0', 'heddle account 0x5f0c…91 --at 1200 --json')
    .action(async (of: Uint8Array, options: NodeCommandOptions & { at?: bigint }) => {
      const account = await askNode(options, context, (client) => accountAt(client, of, options.at));
      context.console.out(
        options.json ? `${rpcTypes.Account.toJson(account)}\n` : columns(accountLines(account)),
      );
    });
}

function accountLines({ address, exists, balance, lanes, deploy_index, is_contract }: Account): Lines {
  return [
    ['account', `${formatAddress(address)}${exists ? '' : ' (not in the state)'}`],
    ['balance', formatAmount(balance)],
    ...lanes.map(
      ({ lane, next_nonce, pending }) =>
        [`lane ${lane}`, `next nonce ${next_nonce}${pending === 0 ? '' : `, ${pending} pending`}`] as const,
    ),
    ['contract', is_contract ? 'yes, see "heddle contract show"' : 'no'],
    ...(deploy_index === 0n ? [] : [['deployments', `${deploy_index}`] as const]),
  ];
}

interface BalanceOptions extends NodeCommandOptions {
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
  const opened = await openContract(client, token, defined({ idlFile: idl, workingDirectory }));
  expectBalances(opened);
  const [answer, ownDecimals, symbol] = await Promise.all([
    opened.handle.view('balance_of', [formatAddress(of)], at),
    decimalsOf(opened, at),
    symbolOf(opened, at),
  ]);
  const places = options.decimals ?? ownDecimals;
  if (json) return jsonOf(of, token, answer, ownDecimals, symbol);
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
    `${contract.name} is not a token: its interface lacks view balance_of(owner: address) with an unsigned result`,
  );
}

/** Contracts that `heddle balance --tokens` asks unless told otherwise, and the most that it takes. */
export const DEFAULT_TOKENS = 100;
export const MAX_TOKENS = 10_000;

/** Prints the tokens that an account holds, one a line, and says if there may be more. */
export async function printTokens(
  client: Client,
  of: Uint8Array,
  { at, limit = DEFAULT_TOKENS, json }: BalanceOptions,
  { console }: CommandContext,
): Promise<void> {
  const { tokens, hasMore } = await tokenBalances(client, of, { ...blockAt(at), limit });
  for (const token of tokens) {
    const { contract, balance, decimals, symbol } = token;
    console.out(`${json ? jsonOf(of, contract, `${balance}`, decimals, symbol) : textOf(token)}\n`);
  }
  if (hasMore)
    console.err(`note: there may be more tokens: at most ${limit} contracts were asked, --limit asks more\n`);
  else if (tokens.length === 0) console.err('note: no tokens\n');
}

function textOf({ contract, balance, decimals, symbol }: TokenBalance): string {
  return `${formatAddress(contract)}  ${formatAmount(balance, decimals)}${symbol === undefined ? '' : ` ${symbol}`}`;
}

function jsonOf(
  of: Uint8Array,
  token: Uint8Array,
  balance: JsonValue,
  decimals: number | undefined,
  symbol: string | undefined,
): string {
  const [address, contract] = [formatAddress(of), formatAddress(token)];
  return JSON.stringify({ address, token: contract, balance, decimals, symbol });
}

export function registerStorageCommand(program: CliCommand, context: CommandContext): void {
  program
    .command('storage')
    .argument('<CONTRACT>', 'the contract', address)
    .argument(
      '<SLOT>',
      '64 hex digits, or the field number of a cell in contracts that use the SDK',
      slotValue,
    )
    .addOption(atOption())
    .reading()
    .notes('JSON has no "value" if the slot has none.')
    .examples('heddle storage 0x682c…1b 0', 'heddle storage 0x682c…1b 0x1400…00 --at 1200')
    .action(async (contract: Uint8Array, slot: Uint8Array, options: NodeCommandOptions & { at?: bigint }) => {
      const proof = await askNode(options, context, (client) =>
        client.state_proof({ contract, slot, ...blockAt(options.at) }),
      );
      const { header, account } = proof;
      const record = account.value === undefined ? undefined : ledger.AccountRecord.decode(account.value);
      if (record?.contract === undefined) {
        throw new CliError(`there is no contract at ${formatAddress(contract)} after block ${header.height}`);
      }
      const value = proof.slot?.value;
      const lines: Lines = [
        ['contract', formatAddress(contract)],
        ['slot', formatHash(slot)],
        ['value', value === undefined ? 'none: nothing is stored there' : toPrefixedHex(value)],
        ['block', `${header.height}`],
      ];
      context.console.out(
        options.json ? `${rpcTypes.SlotValue.toJson(defined({ slot, value }))}\n` : columns(lines),
      );
    });
}
