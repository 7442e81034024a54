import type { Crypto } from '../crypto/crypto.js';
import { BlockReader } from '../ledger/block-store.js';
import type { TransactionPlace } from '../ledger/keys.js';
import {
  listBlocks,
  listTransactions,
  type Page,
  type TransactionFilter,
} from '../ledger/queries/listings.js';
import {
  getBlockSummaries,
  getBlocks,
  getTransactionsInRange,
  type HeightRange,
} from '../ledger/queries/ranges.js';
import { receiptView } from '../ledger/queries/receipt-view.js';
import { readIncluded } from '../ledger/queries/tx-summary.js';
import { rpcTypes } from '../ledger/rpc-codecs.js';
import { inclusionProof } from '../proofs/inclusion-proof.js';
import type { StoreReader } from '../storage/store.js';

/** A read that is too heavy for the main thread. Arguments are checked already; the answer is the result's JSON. */
export type ReadRequest =
  | { readonly kind: 'list_blocks'; readonly page: Page; readonly finalizedHeight: bigint }
  | ({ readonly kind: 'list_transactions'; readonly page: Page } & TransactionFilter)
  | {
      readonly kind: 'range';
      readonly of: 'blocks' | 'block_summaries' | 'transactions';
      readonly range: HeightRange;
    }
  | {
      readonly kind: 'proved_receipt';
      readonly place: TransactionPlace;
      readonly finalizedHeight: bigint;
    };

const RANGES = {
  blocks: getBlocks,
  block_summaries: getBlockSummaries,
  transactions: getTransactionsInRange,
} as const;

/** Answers a read with the JSON of the method's result. */
export function answerRead(request: ReadRequest, store: StoreReader, crypto: Crypto): string {
  const reader = new BlockReader(store);
  switch (request.kind) {
    case 'list_blocks':
      return rpcTypes.ListBlocksResult.toJson(listBlocks(reader, request.page, request.finalizedHeight));
    case 'list_transactions':
      return rpcTypes.ListTxsResult.toJson(listTransactions(store, reader, request.page, request));
    case 'range':
      return RANGES[request.of](reader, request.range);
    case 'proved_receipt':
      return provedReceipt(request.place, request.finalizedHeight, reader, crypto);
  }
}

function provedReceipt(
  place: TransactionPlace,
  finalizedHeight: bigint,
  reader: BlockReader,
  crypto: Crypto,
): string {
  for (const included of readIncluded(reader, [place])) {
    return rpcTypes.TxReceiptResult.toJson({
      receipt: receiptView(included, finalizedHeight),
      proof: inclusionProof(crypto, reader, included.block, place.index),
    });
  }
  throw new Error(`no transaction at ${place.height}/${place.index}`);
}
