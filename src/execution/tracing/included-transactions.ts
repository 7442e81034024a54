import { toHex } from '../../idl/hex.js';
import type { BlockReader, StoredHeader } from '../../ledger/block-store.js';
import type { TransactionPosition } from '../../ledger/position-index.js';
import type { IncludedTransaction } from '../../ledger/queries/tx-summary.js';
import type { StoreReader } from '../../storage/store.js';
import { notFound } from '../views/state-reference.js';

/** Finds transactions in their blocks. Caches the last block: neighbors are often requested in sequence. */
export class IncludedTransactions {
  readonly #blocks: BlockReader;
  readonly #store: StoreReader;
  #lastHeader: StoredHeader | undefined;
  /** Indices in the last block by hash, once two of its transactions have been requested. */
  #lastPlaces: ReadonlyMap<string, number> | undefined;

  constructor(blocks: BlockReader, store: StoreReader) {
    this.#blocks = blocks;
    this.#store = store;
  }

  /** @throws CallError if no block up to the tip contains the transaction */
  find(hash: Uint8Array, tipHeight: number): IncludedTransaction {
    const blocks = this.#blocks;
    const position = this.#placeOf(hash);
    // A block is in the store shortly before it becomes the tip.
    if (position === undefined || position.height > tipHeight)
      throw notFound('included transaction', hash, this.#store);
    const block = this.#header(position.height);
    const signed = blocks.candidate(position);
    const receipt = blocks.receipt(position);
    if (signed === undefined || receipt === undefined) {
      throw new Error(`block ${position.height}: transaction ${position.index} is indexed but not stored`);
    }
    return { position, block, signed, receipt };
  }

  /** Caches all hashes of a block at the second request: a caller that requests two is likely to request all. */
  #placeOf(hash: Uint8Array): TransactionPosition | undefined {
    const last = this.#lastHeader?.header.height;
    const known = this.#lastPlaces?.get(toHex(hash));
    if (last !== undefined && known !== undefined) return { height: last, index: known };
    const blocks = this.#blocks;
    const place = blocks.receiptPositionOf(hash);
    if (place !== undefined && place.height === last && this.#lastPlaces === undefined) {
      const hashes = blocks.transactionHashes(place.height);
      this.#lastPlaces = new Map(hashes.map((each, index) => [toHex(each), index]));
    }
    return place;
  }

  #header(height: bigint): StoredHeader {
    if (this.#lastHeader?.header.height !== height) {
      this.#lastHeader = this.#blocks.header(height);
      this.#lastPlaces = undefined;
    }
    if (this.#lastHeader === undefined) throw new Error(`block ${height} is missing from the store`);
    return this.#lastHeader;
  }
}
