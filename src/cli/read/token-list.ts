import {
  type Client,
  formatAddress,
  formatAmount,
  type TokenBalance,
  tokenBalances,
} from '../../client/client.js';
import type { CommandContext } from '../command-context.js';
import { blockAt } from '../common-options.js';

/** Contracts that `heddle balance --tokens` asks unless told otherwise, and the most that it takes. */
export const DEFAULT_TOKENS = 100;
export const MAX_TOKENS = 10_000;

interface TokenListOptions {
  readonly at?: bigint;
  readonly limit?: number;
  readonly json?: boolean;
}

/** Prints the tokens that an account holds, one a line, and says if there may be more. */
export async function printTokens(
  client: Client,
  of: Uint8Array,
  { at, limit = DEFAULT_TOKENS, json }: TokenListOptions,
  { console }: Pick<CommandContext, 'console'>,
): Promise<void> {
  const { tokens, hasMore } = await tokenBalances(client, of, { ...blockAt(at), limit });
  for (const token of tokens) console.out(`${json ? jsonOf(of, token) : textOf(token)}\n`);
  if (hasMore)
    console.err(`note: there may be more tokens: at most ${limit} contracts were asked, --limit asks more\n`);
  else if (tokens.length === 0) console.err('note: no tokens\n');
}

function textOf({ contract, balance, decimals, symbol }: TokenBalance): string {
  return `${formatAddress(contract)}  ${formatAmount(balance, decimals)}${symbol === undefined ? '' : ` ${symbol}`}`;
}

function jsonOf(of: Uint8Array, { contract, balance, decimals, symbol }: TokenBalance): string {
  return JSON.stringify({
    address: formatAddress(of),
    token: formatAddress(contract),
    balance: `${balance}`,
    decimals,
    symbol,
  });
}
