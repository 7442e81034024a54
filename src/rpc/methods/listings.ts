import type { CommittedChain } from '../../chain/committed-chain.js';
import { sha256 } from '../../crypto/sha256.js';
import type { Reads } from '../../execution/calls/reads.js';
import type { ReadRequest } from '../../execution/read-requests.js';
import { IDL_LIMITS } from '../../idl/compiler/idl-limits.js';
import { NAME_KEY_BYTES } from '../../ledger/contract-names.js';
import type { TransactionPosition } from '../../ledger/position-index.js';
import { CONTRACT_LISTING } from '../../ledger/queries/contracts.js';
import { decodeCursor, decodeKeyCursor } from '../../ledger/queries/cursor.js';
import type { Page } from '../../ledger/queries/listings.js';
import { TOKEN_KEY_BYTES, TOKEN_LISTING } from '../../ledger/queries/tokens.js';
import { invalidParams } from '../errors.js';
import { EncodedResult, type HandlerContext, type MethodHandlers } from '../handlers.js';
import { contractAt } from './contracts.js';
import { expectReached, expectStored, pageLimit } from './page-arguments.js';

export interface ListingSources {
  readonly chain: CommittedChain;
  readonly reads: Reads;
  readonly maxPageSize: number;
  readonly maxRangeHeights: number;
  /** Length of JSON at which a range is cut off. */
  readonly maxRangeBytes: number;
}

const NO_FILTER = new Uint8Array(0);
const EMPTY_PAGES: ReadonlySet<string> = new Set(['{"blocks":[]}', '{"transactions":[]}', '{"tokens":[]}']);

/** Workers do the reading and encoding, because both are expensive; their JSON is passed on unchanged. */
export function listingHandlers(sources: ListingSources) {
  const { chain, reads, maxPageSize } = sources;

  const afterTip = (): TransactionPosition => ({ height: chain.tip.header.height + 1n, index: 0 });
  const start = (listing: string, filter: Uint8Array, cursor: string | undefined): TransactionPosition =>
    cursor === undefined ? afterTip() : reached(decodeCursor(listing, filter, cursor));
  /** A node behind the one that issued the cursor would leave out the blocks between their tips. */
  const reached = (before: TransactionPosition): TransactionPosition => {
    expectReached(chain, before.index === 0 ? before.height - 1n : before.height);
    return before;
  };
  const page = (listing: string, filter: Uint8Array, { cursor, limit }: PageArguments): Page => ({
    before: start(listing, filter, cursor),
    limit: pageLimit(limit, maxPageSize),
    firstHeight: chain.firstHeight,
  });
  const answer = async (request: ReadRequest, call: HandlerContext): Promise<EncodedResult> => {
    const json = await reads.read(request, call);
    // An empty page is not reliable if older blocks are missing on this node.
    if (EMPTY_PAGES.has(json)) expectStored(chain, 0n);
    return new EncodedResult(json);
  };

  const range = async (
    of: 'blocks' | 'block_summaries' | 'transactions',
    args: RangeArguments,
    call: HandlerContext,
  ) => {
    const { finalizedHeight } = chain;
    const range = { ...heightRange(args, sources), maxLength: sources.maxRangeBytes, finalizedHeight };
    return new EncodedResult(await reads.read({ kind: 'range', of, range }, call));
  };
  const transactionsOf = async (
    role: 'sender' | 'contract' | 'recipient',
    account: Uint8Array,
    args: PageArguments,
    call: HandlerContext,
  ) => {
    const kind = 'list_transactions';
    return answer({ kind, page: page(`list_txs_by_${role}`, account, args), [role]: account }, call);
  };

  return {
    list_blocks: async (args, call) => {
      const { finalizedHeight } = chain;
      const kind = 'list_blocks';
      return answer({ kind, page: page(kind, NO_FILTER, args), finalizedHeight }, call);
    },
    list_txs: async (args, call) =>
      answer({ kind: 'list_transactions', page: page('list_txs', NO_FILTER, args) }, call),
    list_txs_by_sender: ({ sender, ...args }, call) => transactionsOf('sender', sender, args, call),
    list_txs_by_contract: async ({ contract, ...args }, call) => {
      contractAt(chain, contract);
      return transactionsOf('contract', contract, args, call);
    },
    list_txs_by_recipient: ({ recipient, ...args }, call) =>
      transactionsOf('recipient', recipient, args, call),
    list_tokens_by_holder: async ({ holder, cursor, limit }, call) => {
      const query = {
        holder,
        ...(cursor !== undefined && {
          after: decodeKeyCursor(TOKEN_LISTING, holder, cursor, TOKEN_KEY_BYTES),
        }),
        limit: pageLimit(limit, maxPageSize),
        height: chain.tip.header.height,
        isPartial: chain.firstHeight > 0n,
      };
      return answer({ kind: 'list_tokens', query }, call);
    },
    list_contracts: async ({ name = '', cursor, limit }, call) => {
      checkName(name);
      const filter = sha256(Buffer.from(name.toLowerCase()));
      const query = {
        prefix: name,
        ...(cursor !== undefined && {
          after: decodeKeyCursor(CONTRACT_LISTING, filter, cursor, NAME_KEY_BYTES),
        }),
        limit: pageLimit(limit, maxPageSize),
        filter,
      };
      return new EncodedResult(await reads.read({ kind: 'list_contracts', query }, call));
    },
    get_blocks: (args, call) => range('blocks', args, call),
    get_block_summaries: (args, call) => range('block_summaries', args, call),
    get_txs_in_range: (args, call) => range('transactions', args, call),
  } satisfies Partial<MethodHandlers>;
}

/** @throws RpcError unless a name could begin like this */
function checkName(name: string): void {
  if (name.length <= IDL_LIMITS.nameLength && /^[A-Za-z0-9_]*$/.test(name)) return;
  const got = name.length > IDL_LIMITS.nameLength ? `${name.length} characters` : JSON.stringify(name);
  throw invalidParams('params.name', `at most ${IDL_LIMITS.nameLength} letters, digits and _ of a name`, got);
}

interface PageArguments {
  readonly cursor?: string;
  readonly limit?: number;
}

interface RangeArguments {
  readonly from_height: bigint;
  readonly to_height: bigint;
}

/** Clamps the range to existing heights and to the limit. @throws RpcError */
function heightRange(
  { from_height: from, to_height: end }: RangeArguments,
  { chain, maxRangeHeights }: ListingSources,
) {
  if (end < from) throw invalidParams('params.to_height', `at least from_height, ${from}`, String(end));
  expectStored(chain, from, end);
  expectReached(chain, from);
  const tip = chain.tip.header.height;
  const cut = from + BigInt(maxRangeHeights) - 1n;
  const last = end < tip ? end : tip;
  return { from, to: last < cut ? last : cut, end };
}
