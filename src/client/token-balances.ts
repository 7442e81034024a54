import type { HeldToken } from '../generated/node-rpc-v1.js';
import { BorshError, describe } from '../idl/codecs/codec-errors.js';
import { IDL_LIMITS } from '../idl/compiler/idl-limits.js';
import type { JsonValue } from '../idl/json-value.js';
import { type AddressLike, addressBytes } from './address-text.js';
import { CallFailedError } from './call-failed-error.js';
import { ClientError } from './client-error.js';
import { Contract, type ContractViewOptions } from './contract.js';
import type { ReadClient } from './read-client.js';
import { RpcCallError } from './rpc-call-error.js';
import { tokenDecimals, tokenSymbol } from './token-answers.js';

/** A token and what an account holds of it, according to the token's contract. */
export interface TokenBalance {
  /** 20 bytes. */
  readonly contract: Uint8Array;
  /** In the smallest unit; more than 0. */
  readonly balance: bigint;
  /** 0 to 38; absent if the contract does not tell. */
  readonly decimals?: number;
  /** A short word without spaces, which any contract may choose; absent if the contract does not tell. */
  readonly symbol?: string;
  /** The last block in which the account sent or received the token. */
  readonly lastHeight: bigint;
}

export interface TokenBalancesOptions extends Pick<ContractViewOptions, 'at'> {
  /** Contracts to ask; default 100, at least 1. A page of the node's listing without a token counts as one contract. */
  readonly limit?: number;
}

export interface TokenBalances {
  /** Ascending by contract. */
  readonly tokens: readonly TokenBalance[];
  /** Whether the limit was reached before the end of the node's listing. */
  readonly hasMore: boolean;
}

const DEFAULT_LIMIT = 100;
/** Contracts that are asked at the same time. */
const PAGE = 20;
/** Gas for each answer of a contract: several times what the standard token needs. */
const GAS = 4_000_000n;

/** The views of the standard token that describe a balance; the full interface is `contracts/token/token.idl`. */
const VIEWS = `{
  view symbol() -> string;
  view decimals() -> u8;
  view balance_of(owner: address) -> u128;
}`;
/** The names that an interface may give to a contract. */
const NAME = /^[A-Za-z_]\w*$/;

/**
 * The tokens that an account holds. Asks the contracts that `list_tokens_by_holder` names, with views of the standard token,
 * and leaves out those that answer with 0 or unlike such a token. Anyone can list tokens for an account and make up
 * their names: only the address of the contract identifies a token.
 * @throws ClientError `bad_address`, `bad_argument`, `bad_answer`; RpcCallError if the node refuses a call
 *
 * @example
 * const { tokens } = await tokenBalances(client, bob.address);
 * for (const { symbol, balance, decimals = 0 } of tokens) console.log(symbol, formatAmount(balance, decimals));
 */
export async function tokenBalances(
  client: ReadClient,
  holder: AddressLike,
  { at, limit = DEFAULT_LIMIT }: TokenBalancesOptions = {},
): Promise<TokenBalances> {
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw new ClientError('bad_argument', `limit: expected an integer of at least 1, got ${limit}`);
  }
  const owner = addressBytes(holder, 'holder');
  const tokens: TokenBalance[] = [];
  let cursor: string | undefined;
  for (let left = limit; left > 0; ) {
    const most = Math.min(PAGE, left);
    const page = await client.list_tokens_by_holder({
      holder: owner,
      limit: most,
      ...(cursor !== undefined && { cursor }),
    });
    if (page.tokens.length > most) {
      const reason = `asked for at most ${most} tokens, the node sent ${page.tokens.length}`;
      throw new ClientError('bad_answer', `list_tokens_by_holder: ${reason}`);
    }
    const answers = await Promise.all(page.tokens.map((token) => balanceIn(client, token, owner, at)));
    tokens.push(...answers.filter((token) => token !== undefined));
    left -= Math.max(page.tokens.length, 1);
    cursor = page.next_cursor;
    if (cursor === undefined) return { tokens, hasMore: false };
  }
  return { tokens, hasMore: true };
}

/** Asks a contract; undefined if the owner has nothing there. */
async function balanceIn(
  client: ReadClient,
  { contract, interface_name: name, last_height: lastHeight }: HeldToken,
  owner: Uint8Array,
  at: TokenBalancesOptions['at'],
): Promise<TokenBalance | undefined> {
  if (name.length > IDL_LIMITS.nameLength || !NAME.test(name)) {
    const reason = `expected the name of a contract, got ${describe(name)}`;
    throw new ClientError('bad_answer', `list_tokens_by_holder: ${reason}`);
  }
  const token = new Contract(client, contract, { idl: `contract ${name} ${VIEWS}` });
  const options = { gasLimit: GAS, ...(at !== undefined && { at }) };
  const answer = await answerOf(() => token.view('balance_of', { owner }, options));
  const balance = typeof answer === 'string' ? BigInt(answer) : 0n;
  if (balance === 0n) return undefined;
  const [symbol, decimals] = await Promise.all([
    answerOf(() => token.view('symbol', {}, options)).then(tokenSymbol),
    answerOf(() => token.view('decimals', {}, options)).then(tokenDecimals),
  ]);
  return {
    contract,
    balance,
    ...(decimals !== undefined && { decimals }),
    ...(symbol !== undefined && { symbol }),
    lastHeight,
  };
}

/** The answer of a view; null if there is none, or it has another form. */
async function answerOf(view: () => Promise<JsonValue>): Promise<JsonValue> {
  try {
    return await view();
  } catch (error) {
    if (error instanceof CallFailedError || error instanceof BorshError) return null;
    // The contract does not exist yet at that height.
    if (error instanceof RpcCallError && error.kind === 'not_found' && 'contract' in error.data) return null;
    throw error;
  }
}
