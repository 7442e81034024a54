import { toHex } from '../../idl/hex.js';
import type { BlockReader, StoredHeader } from '../../ledger/block-store.js';
import type { TransactionPosition } from '../../ledger/position-index.js';
import type { IncludedTransaction } from '../../ledger/queries/tx-summary.js';
import type { StoreReader } from '../../storage/store.js';
import { notFound } from '../views/state-reference.js';

/**
 * Returns a function that finds transactions in their blocks. It caches the last block: neighbors are often requested
 * in sequence. It throws CallError if no block up to the tip contains the transaction.
 */
export function includedTransactions(
  blocks: BlockReader,
  store: StoreReader,
): (hash: Uint8Array, tipHeight: number) => IncludedTransaction {
  let lastHeader: StoredHeader | undefined;
  /** Indices in the last block by hash, once two were requested: a caller that requests two is likely to request all. */
  let lastPlaces: ReadonlyMap<string, number> | undefined;

  function placeOf(hash: Uint8Array): TransactionPosition | undefined {
    const last = lastHeader?.header.height;
    const known = lastPlaces?.get(toHex(hash));
    if (last !== undefined && known !== undefined) return { height: last, index: known };
    const place = blocks.receiptPositionOf(hash);
    if (place !== undefined && place.height === last && lastPlaces === undefined) {
      const hashes = blocks.transactionHashes(place.height);
      lastPlaces = new Map(hashes.map((each, index) => [toHex(each), index]));
    }
    return place;
  }

  function headerAt(height: bigint): StoredHeader {
    if (lastHeader?.header.height !== height) {
      lastHeader = blocks.header(height);
      lastPlaces = undefined;
    }
    if (lastHeader === undefined) throw new Error(`block ${height} is missing from the store`);
    return lastHeader;
  }

  return (hash, tipHeight) => {
    const position = placeOf(hash);
    // A block is in the store shortly before it becomes the tip.
    if (position === undefined || position.height > tipHeight)
      throw notFound('included transaction', hash, store);
    const block = headerAt(position.height);
    const signed = blocks.candidate(position);
    const receipt = blocks.receipt(position);
    if (signed === undefined || receipt === undefined) {
      throw new Error(`block ${position.height}: transaction ${position.index} is indexed but not stored`);
    }
    return { position, block, signed, receipt };
  };
}
