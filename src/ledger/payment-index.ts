import { addTo } from '../base/multi-map.js';
import { be64, readBe64 } from '../storage/big-endian.js';
import type { StoreReader } from '../storage/store.js';
import type { WriteBatch } from '../storage/write-batch.js';
import { indexKey, type TransactionPosition } from './position-index.js';

/*
 * Index by recipient, one entry per block:
 *
 *   by_recipient   recipient20 ‖ be64(height) → be32(transaction index) ‖ be128(amount) of each transaction that paid the
 *                  recipient, ascending
 */

const ADDRESS_BYTES = 20;
const ENTRY_BYTES = 4 + 16;
const LOW_64 = 0xffff_ffff_ffff_ffffn;

/** What one account received in one transaction. */
export interface Payment {
  /** 40 lowercase hex digits. */
  readonly to: string;
  /** More than 0 and below 2^128. */
  readonly amount: bigint;
}

/** What a transaction of a block paid, with one payment for each recipient. */
export interface TransactionPayments {
  /** Index of the transaction in the block. */
  readonly index: number;
  readonly paid: readonly Payment[];
}

export interface PaymentPosition extends TransactionPosition {
  readonly received: bigint;
}

/** @param payments ascending by index */
export function appendPayments(
  batch: WriteBatch,
  height: bigint,
  payments: readonly TransactionPayments[],
): void {
  const byRecipient = new Map<string, { readonly index: number; readonly amount: bigint }[]>();
  for (const { index, paid } of payments) {
    for (const { to, amount } of paid) addTo(byRecipient, to, { index, amount });
  }
  // A block of transfers has an entry for each: writing in place takes half the time of `indexKey`.
  const heightBytes = be64(height);
  for (const [recipient, received] of byRecipient) {
    const key = Buffer.allocUnsafe(ADDRESS_BYTES + heightBytes.length);
    key.write(recipient, 'hex');
    key.set(heightBytes, ADDRESS_BYTES);
    const value = Buffer.allocUnsafe(ENTRY_BYTES * received.length);
    let at = 0;
    for (const { index, amount } of received) {
      at = value.writeUInt32BE(index, at);
      at = value.writeBigUInt64BE(amount >> 64n, at);
      at = value.writeBigUInt64BE(amount & LOW_64, at);
    }
    batch.put('by_recipient', key, value);
  }
}

/** The transactions that paid a recipient (20 bytes), below `before`, exclusive; newest first. */
export function* paymentsBefore(
  store: StoreReader,
  recipient: Uint8Array,
  before: TransactionPosition,
): IterableIterator<PaymentPosition> {
  const range = {
    gte: indexKey(recipient, 0n),
    lt: indexKey(recipient, before.height + 1n),
    reverse: true,
  };
  for (const [key, value] of store.scan('by_recipient', range)) {
    const height = readBe64(key, recipient.length);
    const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
    for (let at = value.byteLength - ENTRY_BYTES; at >= 0; at -= ENTRY_BYTES) {
      const index = view.getUint32(at);
      if (height === before.height && index >= before.index) continue;
      yield { height, index, received: (view.getBigUint64(at + 4) << 64n) | view.getBigUint64(at + 12) };
    }
  }
}
