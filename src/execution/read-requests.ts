import { checkedAnswer, maxAnswerBytes } from '../base/answer-limit.js';
import type { Hashes } from '../crypto/crypto.js';
import { BlockReader } from '../ledger/block-store.js';
import type { ContractInterfaces } from '../ledger/contract-interfaces.js';
import type { TransactionPosition } from '../ledger/position-index.js';
import { type ContractQuery, listContracts } from '../ledger/queries/contracts.js';
import { type EventQuery, readEventBloom, readEvents } from '../ledger/queries/events.js';
import {
  listBlocks,
  listTransactions,
  type Page,
  type TransactionFilter,
} from '../ledger/queries/listings.js';
import { getLogs, type LogQuery } from '../ledger/queries/logs.js';
import {
  getBlockSummaries,
  getBlocks,
  getTransactionsInRange,
  type HeightRange,
} from '../ledger/queries/ranges.js';
import { receiptJson } from '../ledger/queries/receipt-json.js';
import { listTokens, type TokenQuery } from '../ledger/queries/tokens.js';
import { type IncludedTransaction, readIncluded } from '../ledger/queries/tx-summary.js';
import { rpcTypes } from '../ledger/rpc-codecs.js';
import { inclusionProof } from '../proofs/inclusion-proof.js';
import type { StoreReader } from '../storage/store.js';
import { answerChunkSlice, type SnapshotChunkRead } from './sliced-chunk.js';

/** A read too heavy for a thread that serves requests. Arguments are validated; the answer is the result's JSON. */
export type ReadRequest =
  | { readonly kind: 'list_blocks'; readonly page: Page; readonly finalizedHeight: bigint }
  | ({ readonly kind: 'list_transactions'; readonly page: Page } & TransactionFilter)
  | { readonly kind: 'list_tokens'; readonly query: TokenQuery }
  | { readonly kind: 'list_contracts'; readonly query: ContractQuery }
  | {
      readonly kind: 'range';
      readonly of: 'blocks' | 'block_summaries' | 'transactions';
      readonly range: HeightRange;
    }
  | { readonly kind: 'logs'; readonly query: LogQuery }
  /** Some events of a subscription; the answer is the text of {@link readEvents}. */
  | { readonly kind: 'events'; readonly query: EventQuery }
  /** The answer is the text of {@link readEventBloom}. */
  | { readonly kind: 'event_bloom'; readonly height: bigint }
  | {
      readonly kind: 'receipt' | 'proved_receipt';
      readonly place: TransactionPosition;
      readonly finalizedHeight: bigint;
    }
  | SnapshotChunkRead;

export interface ReadSources {
  readonly store: StoreReader;
  readonly crypto: Hashes;
  readonly interfaces: ContractInterfaces;
}

/** Returns the JSON of the method's result. @param reader counts the work @throws AnswerTooLongError */
export function answerRead(
  request: ReadRequest,
  sources: ReadSources,
  reader = new BlockReader(sources.store),
): string {
  const { store, interfaces } = sources;
  const listed = { store, reader, interfaces };
  switch (request.kind) {
    case 'list_blocks':
      return checkedAnswer(
        rpcTypes.ListBlocksResult.toJson(listBlocks(reader, request.page, request.finalizedHeight)),
      );
    case 'list_transactions':
      return checkedAnswer(listTransactions(listed, request.page, request));
    case 'list_tokens':
      return checkedAnswer(rpcTypes.ListTokensResult.toJson(listTokens(listed, request.query)));
    case 'list_contracts':
      return checkedAnswer(rpcTypes.ListContractsResult.toJson(listContracts(listed, request.query)));
    case 'range':
      return answerRange(request, reader, interfaces);
    case 'logs':
      return checkedAnswer(getLogs(listed, within(request.query)));
    case 'events':
      return checkedAnswer(readEvents(listed, within(request.query)));
    case 'event_bloom':
      return readEventBloom(reader, request.height);
    case 'receipt':
      return receiptJson(includedAt(reader, request.place), request.finalizedHeight, interfaces);
    case 'proved_receipt':
      return provedReceipt(request.place, request.finalizedHeight, reader, sources);
    case 'snapshot_chunk':
      return answerChunkSlice(store, request);
  }
}

function answerRange(
  { of, range }: Extract<ReadRequest, { kind: 'range' }>,
  reader: BlockReader,
  interfaces: ContractInterfaces,
): string {
  const page = within(range);
  switch (of) {
    case 'blocks':
      // A single block is returned whole, or it would be unavailable: its body has its own limit.
      return getBlocks(reader, page);
    case 'block_summaries':
      return checkedAnswer(getBlockSummaries(reader, page));
    case 'transactions':
      return checkedAnswer(getTransactionsInRange(reader, page, interfaces));
  }
}

/** Length reserved for the JSON around the entries of a page. */
const FRAMING = 1_024;

/** Limits a page to the maximum size of a response. */
function within<T extends { readonly maxLength: number }>(page: T): T {
  return { ...page, maxLength: Math.min(page.maxLength, maxAnswerBytes() - FRAMING) };
}

function provedReceipt(
  place: TransactionPosition,
  finalizedHeight: bigint,
  reader: BlockReader,
  { crypto, interfaces }: ReadSources,
): string {
  const included = includedAt(reader, place);
  const receipt = receiptJson(included, finalizedHeight, interfaces);
  const proof = rpcTypes.InclusionProof.toJson(inclusionProof(crypto, reader, included.block, place.index));
  return checkedAnswer(`{"receipt":${receipt},"proof":${proof}}`);
}

function includedAt(reader: BlockReader, place: TransactionPosition): IncludedTransaction {
  for (const included of readIncluded(reader, [place])) return included;
  throw new Error(`no transaction at ${place.height}/${place.index}`);
}
