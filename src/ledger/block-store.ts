import { concatBytes } from '../base/concat-bytes.js';
import { addTo } from '../base/multi-map.js';
import type { BlockHeader, SealKey } from '../generated/ledger.js';
import { toHex } from '../idl/hex.js';
import { be64, readBe64 } from '../storage/big-endian.js';
import type { StoreReader } from '../storage/store.js';
import type { WriteBatch } from '../storage/write-batch.js';
import { ledger } from './codecs.js';
import type { AddressHex } from './hex-types.js';
import { encodePacks, PACK_ITEMS, packItem, packItems } from './item-packs.js';
import {
  decodePosition,
  encodeNumbers,
  encodePosition,
  indexKey,
  packKey,
  type TransactionPosition,
  withIndex,
} from './position-index.js';
import { ReceiptLogs, type RecentReceiptLogs } from './receipt-logs.js';
import {
  decodeStoredReceipt,
  hashOfStoredReceipt,
  type OpeningDetails,
  receiptOf,
  type StoredReceipt,
} from './stored-receipt.js';
import {
  candidateOfItem,
  isEnvelopeItem,
  type SignedCandidate,
  sealedCandidate,
} from './transaction-envelope.js';

/** A sealed block with all its stored parts, each encoded once. */
export interface SealedBlock {
  readonly header: BlockHeader;
  /** borsh(BlockHeader). */
  readonly encodedHeader: Uint8Array;
  readonly hash: Uint8Array;
  /** borsh(BlockItem) of each item. */
  readonly items: readonly Uint8Array[];
  /** Seal keys at the start of the items. */
  readonly keys: readonly SealKey[];
  /** Encoded by {@link encodeStoredReceipt}: first one per opening, then one per transaction. */
  readonly receipts: readonly Uint8Array[];
  /** Envelopes opened by the keys, in order. */
  readonly openings: readonly TransactionId[];
  /** Transactions and envelopes among the items, in block order. */
  readonly transactions: readonly TransactionId[];
}

/** Parts of a block that is empty or known only by its header. */
export const NO_CONTENT = { items: [], keys: [], receipts: [], openings: [], transactions: [] } as const;

interface TransactionId {
  readonly hash: Uint8Array;
  readonly sender: AddressHex;
}

/** A block's header and the counts that listings need. */
export interface StoredHeader {
  readonly header: BlockHeader;
  readonly hash: Uint8Array;
  /** Number of leading items that are keys. */
  readonly keyCount: number;
  /** Number of leading receipts that belong to openings. */
  readonly openingCount: number;
  readonly receiptCount: number;
}

/** Subject of a receipt: an opening, or an item of its block as borsh(BlockItem). */
export type ReceiptSubject = { readonly opening: OpeningDetails } | { readonly item: Uint8Array };

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

/** Indexes a block's transactions and openings by hash and by sender. */
export function appendTransactionIndexes(
  batch: WriteBatch,
  { header: { height }, openings, transactions }: Pick<SealedBlock, 'header' | 'openings' | 'transactions'>,
): void {
  const bySender = new Map<string, number[]>();
  // The batch copies it, so one serves all.
  const position = encodePosition({ height, index: 0 });
  openings.forEach(({ hash, sender }, index) => {
    batch.put('transactions', openingKey(hash), withIndex(position, index));
    addTo(bySender, sender, index);
  });
  transactions.forEach(({ hash, sender }, place) => {
    const index = openings.length + place;
    batch.put('transactions', hash, withIndex(position, index));
    addTo(bySender, sender, index);
  });
  for (const [sender, indexes] of bySender) {
    batch.put('by_sender', indexKey(Buffer.from(sender, 'hex'), height), encodeNumbers(indexes));
  }
}

/** Key of an envelope's opening in `transactions`: hash32 ‖ 1. */
function openingKey(hash: Uint8Array): Uint8Array {
  return concatBytes([hash, Uint8Array.of(1)]);
}

const HEADER_AT = 44;

/** hash32 ‖ le32(keys) ‖ le32(openings) ‖ le32(receipts) ‖ borsh(BlockHeader). */
function encodeStoredHeader(block: SealedBlock): Uint8Array {
  const value = new Uint8Array(HEADER_AT + block.encodedHeader.length);
  value.set(block.hash);
  const view = new DataView(value.buffer);
  view.setUint32(32, block.keys.length, true);
  view.setUint32(36, block.openings.length, true);
  view.setUint32(40, block.receipts.length, true);
  value.set(block.encodedHeader, HEADER_AT);
  return value;
}

function decodeStoredHeader(value: Uint8Array): StoredHeader {
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
  return {
    hash: value.subarray(0, 32),
    keyCount: view.getUint32(32, true),
    openingCount: view.getUint32(36, true),
    receiptCount: view.getUint32(40, true),
    header: ledger.BlockHeader.decode(value.subarray(HEADER_AT)),
  };
}

/** Reads blocks, items, receipts and indexes; usable in any thread. */
export class BlockReader {
  readonly #store: StoreReader;
  /** The last pack read from each column: neighbors are usually read in sequence, and blocks never change. */
  readonly #lastPack = new Map<'bodies' | 'receipts', { readonly key: string; readonly pack: Uint8Array }>();
  /** The last header read, cached for the same reason. */
  #lastHeader: StoredHeader | undefined;
  #packBytes = 0;
  readonly #recentLogs: RecentReceiptLogs | undefined;
  /** Number of entries that searches with this reader have examined. */
  scanned = 0;

  /** @param recentLogs of the thread, for readers that live for one request */
  constructor(store: StoreReader, recentLogs?: RecentReceiptLogs) {
    this.#store = store;
    this.#recentLogs = recentLogs;
  }

  /** Bytes of bodies and receipts fetched from the store so far; packs are always fetched whole. */
  get fetchedBytes(): number {
    return this.#packBytes;
  }

  header(height: bigint): StoredHeader | undefined {
    if (this.#lastHeader?.header.height !== height) {
      const value = this.#store.get('blocks', be64(height));
      if (value === undefined) return undefined;
      this.#lastHeader = decodeStoredHeader(value);
    }
    return this.#lastHeader;
  }

  /** The headers of consecutive heights, skipping missing ones. */
  headers(heights: readonly bigint[]): StoredHeader[] {
    const values = this.#store.getMany('blocks', heights.map(be64));
    return values.flatMap((value) => (value === undefined ? [] : [decodeStoredHeader(value)]));
  }

  heightOf(blockHash: Uint8Array): bigint | undefined {
    const value = this.#store.get('block_hashes', blockHash);
    return value === undefined ? undefined : readBe64(value, 0);
  }

  /** The position at which a transaction or envelope was included. */
  positionOf(txHash: Uint8Array): TransactionPosition | undefined {
    const value = this.#store.get('transactions', txHash);
    return value === undefined ? undefined : decodePosition(value);
  }

  /** The position of an envelope's opening; undefined if it is not open or not an envelope. */
  openingOf(txHash: Uint8Array): TransactionPosition | undefined {
    return this.positionOf(openingKey(txHash));
  }

  /** The position of a transaction's final receipt: for an opened envelope, the one of its opening. */
  receiptPositionOf(txHash: Uint8Array): TransactionPosition | undefined {
    const place = this.positionOf(txHash);
    const item = place && this.#itemAt(place);
    // A chain that starts from a snapshot may lack the block that includes the envelope.
    if (place !== undefined && (item === undefined || !isEnvelopeItem(item))) return place;
    return this.openingOf(txHash) ?? place;
  }

  isOpening({ height, index }: TransactionPosition): boolean {
    return index < (this.header(height)?.openingCount ?? 0);
  }

  /** The signed candidate executed at a position; for an opening, the envelope, with its action if opened. */
  candidate(place: TransactionPosition): SignedCandidate | undefined {
    if (this.isOpening(place)) return openedCandidate(this.receipt(place)?.details.opening);
    const encoded = this.#itemAt(place);
    return encoded === undefined ? undefined : candidateOfItem(ledger.BlockItem.decode(encoded));
  }

  subjects(height: bigint): ReceiptSubject[] {
    const layout = this.header(height);
    if (layout === undefined) return [];
    const { keyCount, openingCount, receiptCount } = layout;
    const subjects: ReceiptSubject[] = [];
    for (let index = 0; index < openingCount; index++) {
      const opening = this.receipt({ height, index })?.details.opening;
      if (opening === undefined) throw new Error(`block ${height}: receipt ${index} is not an opening`);
      subjects.push({ opening });
    }
    const items = this.encodedItems(height).slice(keyCount, keyCount + receiptCount - openingCount);
    for (const item of items) subjects.push({ item });
    return subjects;
  }

  receipt(place: TransactionPosition): StoredReceipt | undefined {
    const stored = this.#packItem('receipts', place);
    return stored === undefined ? undefined : decodeStoredReceipt(stored);
  }

  receiptLogs(place: TransactionPosition): ReceiptLogs | undefined {
    const header = this.header(place.height);
    if (header === undefined) return undefined;
    const read = (): ReceiptLogs | undefined => {
      const stored = this.#packItem('receipts', place);
      return stored === undefined ? undefined : new ReceiptLogs(receiptOf(stored));
    };
    if (this.#recentLogs === undefined) return read();
    return this.#recentLogs.at(`${toHex(header.hash)}/${place.index}`, read);
  }

  /** borsh(BlockItem) of every item of a block. */
  encodedItems(height: bigint): Uint8Array[] {
    return this.#packs('bodies', height).flatMap(packItems);
  }

  /** The hashes of a block's transactions, 32 bytes each, taken from the start of each receipt. */
  transactionHashes(height: bigint): Uint8Array[] {
    return this.#packs('receipts', height).flatMap(packItems).map(hashOfStoredReceipt);
  }

  receipts(height: bigint): StoredReceipt[] {
    return this.#packs('receipts', height).flatMap(packItems).map(decodeStoredReceipt);
  }

  /** Positions of included transactions below `before`, exclusive; newest first. */
  *positionsBefore(before: TransactionPosition): IterableIterator<TransactionPosition> {
    const lastPack = Math.ceil(before.index / PACK_ITEMS);
    const range = { lt: packKey(before.height, lastPack), reverse: true };
    for (const [key, pack] of this.#store.scan('receipts', range)) {
      const { height, index: number } = decodePosition(key);
      this.#packBytes += pack.length;
      const first = number * PACK_ITEMS;
      const count = new DataView(pack.buffer, pack.byteOffset).getUint32(0, true);
      for (let index = first + count - 1; index >= first; index--) {
        if (height === before.height && index >= before.index) continue;
        yield { height, index };
      }
    }
  }

  /** borsh(BlockItem) for the receipt at a position; openings have none. */
  #itemAt({ height, index }: TransactionPosition): Uint8Array | undefined {
    const stored = this.header(height);
    if (stored === undefined) return undefined;
    return this.#packItem('bodies', { height, index: index - stored.openingCount + stored.keyCount });
  }

  #packItem(column: 'bodies' | 'receipts', place: TransactionPosition): Uint8Array | undefined {
    const pack = this.#pack(column, place.height, Math.floor(place.index / PACK_ITEMS));
    return pack === undefined ? undefined : packItem(pack, place.index % PACK_ITEMS);
  }

  #pack(column: 'bodies' | 'receipts', height: bigint, number: number): Uint8Array | undefined {
    const key = `${height}/${number}`;
    const last = this.#lastPack.get(column);
    if (last?.key === key) return last.pack;
    const pack = this.#store.get(column, packKey(height, number));
    if (pack === undefined) return undefined;
    this.#packBytes += pack.length;
    this.#lastPack.set(column, { key, pack });
    return pack;
  }

  #packs(column: 'bodies' | 'receipts', height: bigint): Uint8Array[] {
    const range = { gte: packKey(height, 0), lt: packKey(height + 1n, 0) };
    return Array.from(this.#store.scan(column, range), ([, pack]) => {
      this.#packBytes += pack.length;
      return pack;
    });
  }
}

function openedCandidate(opening: OpeningDetails | undefined): SignedCandidate | undefined {
  if (opening === undefined) return undefined;
  const sealed = sealedCandidate(ledger.PendingEnvelope.decode(opening.pending).signed);
  if (opening.action === undefined) return sealed;
  return { ...sealed, transaction: { ...sealed.transaction, action: ledger.Action.decode(opening.action) } };
}
