import type { BlockHeader, BlockItem } from '../generated/ledger.js';
import { be64, readBe64 } from '../storage/big-endian.js';
import type { StoreReader } from '../storage/store.js';
import type { WriteBatch } from '../storage/write-batch.js';
import { ledger } from './codecs.js';
import type { AddressHex } from './hex-names.js';
import { encodePacks, PACK_ITEMS, packItem, packItems } from './item-packs.js';
import { decodePlace, encodePlace, packKey, type TransactionPlace } from './keys.js';
import { encodeNumbers, indexKey, placesUnder } from './place-index.js';
import { decodeStoredReceipt, hashOfStoredReceipt, type StoredReceipt } from './stored-receipt.js';

/** A sealed block with everything that is stored of it, each part encoded once. */
export interface SealedBlock {
  readonly header: BlockHeader;
  /** borsh(BlockHeader). */
  readonly encodedHeader: Uint8Array;
  readonly hash: Uint8Array;
  /** borsh(BlockItem) of each item. */
  readonly items: readonly Uint8Array[];
  /** One for each item, as {@link encodeStoredReceipt} makes them. */
  readonly receipts: readonly Uint8Array[];
  /** The hash and sender of each item's transaction, in block order. */
  readonly transactions: readonly { readonly hash: Uint8Array; readonly sender: AddressHex }[];
}

/** A block's header with what the listings need beside it. */
export interface StoredHeader {
  readonly header: BlockHeader;
  readonly hash: Uint8Array;
  readonly itemCount: number;
}

/** Adds a block: header, items and receipts. */
export function appendBlock(batch: WriteBatch, block: SealedBlock): void {
  const { height } = block.header;
  batch.put('blocks', be64(height), encodeStoredHeader(block));
  batch.put('block_hashes', block.hash, be64(height));
  encodePacks(block.items).forEach((pack, index) => {
    batch.put('bodies', packKey(height, index), pack);
  });
  encodePacks(block.receipts).forEach((pack, index) => {
    batch.put('receipts', packKey(height, index), pack);
  });
}

/** Adds the indexes that lead to a block's transactions. */
export function appendTransactionIndexes(
  batch: WriteBatch,
  { header: { height }, transactions }: Pick<SealedBlock, 'header' | 'transactions'>,
): void {
  const bySender = new Map<string, number[]>();
  transactions.forEach(({ hash, sender }, index) => {
    batch.put('transactions', hash, encodePlace({ height, index }));
    const indexes = bySender.get(sender);
    if (indexes === undefined) bySender.set(sender, [index]);
    else indexes.push(index);
  });
  for (const [sender, indexes] of bySender) {
    batch.put('by_sender', indexKey(Buffer.from(sender, 'hex'), height), encodeNumbers(indexes));
  }
}

/** hash32 ‖ le32(item count) ‖ borsh(BlockHeader). */
function encodeStoredHeader(block: SealedBlock): Uint8Array {
  const value = new Uint8Array(36 + block.encodedHeader.length);
  value.set(block.hash);
  new DataView(value.buffer).setUint32(32, block.items.length, true);
  value.set(block.encodedHeader, 36);
  return value;
}

function decodeStoredHeader(value: Uint8Array): StoredHeader {
  const itemCount = new DataView(value.buffer, value.byteOffset, value.byteLength).getUint32(32, true);
  return {
    hash: value.subarray(0, 32),
    itemCount,
    header: ledger.BlockHeader.decode(value.subarray(36)),
  };
}

/** Reads blocks, items, receipts and indexes; usable in any thread. */
export class BlockReader {
  readonly #store: StoreReader;
  /** The pack read last in each column: neighbours are usually asked for one after another, and blocks never change. */
  readonly #lastPack = new Map<'bodies' | 'receipts', { readonly key: string; readonly pack: Uint8Array }>();

  constructor(store: StoreReader) {
    this.#store = store;
  }

  header(height: bigint): StoredHeader | undefined {
    const value = this.#store.get('blocks', be64(height));
    return value === undefined ? undefined : decodeStoredHeader(value);
  }

  /** The headers of consecutive heights, as far as they exist. */
  headers(heights: readonly bigint[]): StoredHeader[] {
    const values = this.#store.getMany('blocks', heights.map(be64));
    return values.flatMap((value) => (value === undefined ? [] : [decodeStoredHeader(value)]));
  }

  heightOf(blockHash: Uint8Array): bigint | undefined {
    const value = this.#store.get('block_hashes', blockHash);
    return value === undefined ? undefined : readBe64(value, 0);
  }

  placeOf(txHash: Uint8Array): TransactionPlace | undefined {
    const value = this.#store.get('transactions', txHash);
    return value === undefined ? undefined : decodePlace(value);
  }

  /** borsh(BlockItem) at a place. */
  encodedItem(place: TransactionPlace): Uint8Array | undefined {
    return this.#packItem('bodies', place);
  }

  item(place: TransactionPlace): BlockItem | undefined {
    const encoded = this.encodedItem(place);
    return encoded === undefined ? undefined : ledger.BlockItem.decode(encoded);
  }

  receipt(place: TransactionPlace): StoredReceipt | undefined {
    const stored = this.#packItem('receipts', place);
    return stored === undefined ? undefined : decodeStoredReceipt(stored);
  }

  /** borsh(BlockItem) of every item of a block. */
  encodedItems(height: bigint): Uint8Array[] {
    return this.#packs('bodies', height).flatMap(packItems);
  }

  /** The hash of every transaction of a block, 32 bytes each: what its receipt begins with. */
  transactionHashes(height: bigint): Uint8Array[] {
    return this.#packs('receipts', height).flatMap(packItems).map(hashOfStoredReceipt);
  }

  /** Every receipt of a block. */
  receipts(height: bigint): StoredReceipt[] {
    return this.#packs('receipts', height).flatMap(packItems).map(decodeStoredReceipt);
  }

  /** Places of included transactions from `before` down, not included itself; newest first. */
  *placesBefore(before: TransactionPlace): IterableIterator<TransactionPlace> {
    const lastPack = Math.ceil(before.index / PACK_ITEMS);
    const range = { lt: packKey(before.height, lastPack), reverse: true };
    for (const [key, pack] of this.#store.scan('bodies', range)) {
      const { height, index: number } = decodePlace(key);
      const first = number * PACK_ITEMS;
      const count = new DataView(pack.buffer, pack.byteOffset).getUint32(0, true);
      for (let index = first + count - 1; index >= first; index--) {
        if (height === before.height && index >= before.index) continue;
        yield { height, index };
      }
    }
  }

  /** As {@link placesBefore}, for the transactions of one sender, 20 bytes. */
  placesOfSenderBefore(sender: Uint8Array, before: TransactionPlace): IterableIterator<TransactionPlace> {
    return placesUnder(this.#store, 'by_sender', sender, before);
  }

  #packItem(column: 'bodies' | 'receipts', place: TransactionPlace): Uint8Array | undefined {
    const pack = this.#pack(column, place.height, Math.floor(place.index / PACK_ITEMS));
    return pack === undefined ? undefined : packItem(pack, place.index % PACK_ITEMS);
  }

  #pack(column: 'bodies' | 'receipts', height: bigint, number: number): Uint8Array | undefined {
    const key = `${height}/${number}`;
    const last = this.#lastPack.get(column);
    if (last?.key === key) return last.pack;
    const pack = this.#store.get(column, packKey(height, number));
    if (pack !== undefined) this.#lastPack.set(column, { key, pack });
    return pack;
  }

  #packs(column: 'bodies' | 'receipts', height: bigint): Uint8Array[] {
    const range = { gte: packKey(height, 0), lt: packKey(height + 1n, 0) };
    return Array.from(this.#store.scan(column, range), ([, value]) => value);
  }
}
