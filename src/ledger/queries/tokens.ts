import type { HeldToken, ListTokensResult } from '../../generated/node-rpc-v1.js';
import { lastHeightOf, nextContractOfHolder } from '../token-holders.js';
import { encodeKeyCursor } from './cursor.js';
import type { ListingSources } from './listings.js';
import { MAX_COMPILED_BYTES } from './page-limits.js';

/** The listing's name in cursors. */
export const TOKEN_LISTING = 'list_tokens_by_holder';
/** Length of the keys in its cursors, which are addresses. */
export const TOKEN_KEY_BYTES = 20;

/** Maximum number of contracts that a page examines, which takes a few tens of milliseconds. */
const MAX_CONTRACTS = 500;
/** Work of examining a contract, where an event is 1. */
const CONTRACT_WORK = 10;

/** A query for a page of the tokens that a holder has sent or received. */
export interface TokenQuery {
  /** 20 bytes. */
  readonly holder: Uint8Array;
  /** The last contract that the page before examined. */
  readonly after?: Uint8Array;
  readonly limit: number;
  /** Height of the committed block whose interfaces tell which contracts are tokens. */
  readonly height: bigint;
  /** True if the store lacks the first blocks of the chain: the listing then continues to a page that must fail. */
  readonly isPartial: boolean;
}

/** A page examines a bounded number of contracts, and the next page continues after them. */
export function listTokens(
  { store, reader, interfaces }: ListingSources,
  { holder, after, limit, height, isPartial }: TokenQuery,
): ListTokensResult {
  const tokens: HeldToken[] = [];
  const compiledBefore = interfaces.compiledBytes;
  let last = after;
  let examined = 0;
  const isFull = (): boolean =>
    tokens.length === limit ||
    examined === MAX_CONTRACTS ||
    interfaces.compiledBytes - compiledBefore >= MAX_COMPILED_BYTES;
  let contract = nextContractOfHolder(store, holder, last);
  for (; contract !== undefined && !isFull(); contract = nextContractOfHolder(store, holder, last)) {
    const token = interfaces.token(contract, height);
    if (token !== undefined) {
      const lastHeight = lastHeightOf(store, holder, contract, token.transferTopic);
      if (lastHeight !== undefined) {
        tokens.push({ contract, interface_name: token.name, last_height: lastHeight });
      }
    }
    last = contract;
    examined++;
    reader.scanned += CONTRACT_WORK;
  }
  const hasMore = contract !== undefined || (isPartial && tokens.length > 0);
  return {
    tokens,
    ...(last !== undefined && hasMore ? { next_cursor: encodeKeyCursor(TOKEN_LISTING, holder, last) } : {}),
  };
}
