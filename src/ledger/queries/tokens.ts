import type { ListTokensResult } from '../../generated/node-rpc-v1.js';
import type { StoreReader } from '../../storage/store.js';
import { contractsOfHolder } from '../token-holders.js';
import { encodeAddressCursor } from './cursor.js';

/** The listing's name in cursors. */
export const TOKEN_LISTING = 'list_tokens_by_holder';

/** A query for a page of the tokens that a holder has sent or received. */
export interface TokenQuery {
  /** 20 bytes. */
  readonly holder: Uint8Array;
  /** The last contract of the page before. */
  readonly after?: Uint8Array;
  readonly limit: number;
  /** True if the store lacks the first blocks of the chain: the listing then continues to a page that must fail. */
  readonly isPartial: boolean;
}

export function listTokens(
  store: StoreReader,
  { holder, after, limit, isPartial }: TokenQuery,
): ListTokensResult {
  // One more than requested, to detect the last page.
  const found = [...contractsOfHolder(store, holder, after, limit + 1)];
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = last !== undefined && (found.length > limit || isPartial);
  return {
    tokens: shown.map(({ contract, lastHeight }) => ({ contract, last_height: lastHeight })),
    ...(hasMore ? { next_cursor: encodeAddressCursor(TOKEN_LISTING, holder, last.contract) } : {}),
  };
}
