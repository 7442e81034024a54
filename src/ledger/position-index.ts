import { readBe64, writeBe32, writeBe64 } from '../storage/big-endian.js';
import type { StoreReader } from '../storage/store.js';

// Indexes with one entry per block: prefix ‖ be64(height) → ascending list of be32 numbers.

export function indexKey(prefix: Uint8Array, height: bigint): Uint8Array {
  const key = new Uint8Array(prefix.length + 8);
  key.set(prefix);
  writeBe64(key, prefix.length, height);
  return key;
}

export function encodeNumbers(numbers: readonly number[]): Uint8Array {
  const value = new Uint8Array(4 * numbers.length);
  numbers.forEach((number, place) => {
    writeBe32(value, 4 * place, number);
  });
  return value;
}

export function decodeNumbers(value: Uint8Array): number[] {
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
  return Array.from({ length: value.byteLength / 4 }, (_, place) => view.getUint32(4 * place));
}

/** Positions of the transactions under a prefix, below `before`, exclusive; newest first. */
export function* positionsUnder(
  store: StoreReader,
  column: 'by_sender' | 'by_contract',
  prefix: Uint8Array,
  before: TransactionPosition,
): IterableIterator<TransactionPosition> {
  const range = { gte: indexKey(prefix, 0n), lt: indexKey(prefix, before.height + 1n), reverse: true };
  for (const [key, value] of store.scan(column, range)) {
    const height = readBe64(key, prefix.length);
    for (const index of decodeNumbers(value).reverse()) {
      if (height === before.height && index >= before.index) continue;
      yield { height, index };
    }
  }
}

/** Key of a pack of a block's items or receipts: be64(height) ‖ be32(pack). The header's key is be64(height). */
export function packKey(height: bigint, pack: number): Uint8Array {
  const key = new Uint8Array(12);
  writeBe64(key, 0, height);
  writeBe32(key, 8, pack);
  return key;
}

/** A transaction's position as stored in `transactions`: be64(height) ‖ be32(index). */
export function encodePosition(place: TransactionPosition): Uint8Array {
  return packKey(place.height, place.index);
}

/** Changes the index of an encoded position in place. */
export function withIndex(position: Uint8Array, index: number): Uint8Array {
  writeBe32(position, 8, index);
  return position;
}

export function decodePosition(value: Uint8Array): TransactionPosition {
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
  return { height: view.getBigUint64(0), index: view.getUint32(8) };
}

export interface TransactionPosition {
  readonly height: bigint;
  /** Index in the block, from 0. */
  readonly index: number;
}
