import { be64, readBe64 } from '../storage/big-endian.js';
import type { StoreReader } from '../storage/store.js';
import type { TransactionPosition } from './keys.js';

// Indexes with one entry per block: prefix ‖ be64(height) → ascending list of be32 numbers.

/** Key of a block's entry under a prefix. */
export function indexKey(prefix: Uint8Array, height: bigint): Uint8Array {
  return Buffer.concat([prefix, be64(height)]);
}

export function encodeNumbers(numbers: readonly number[]): Uint8Array {
  const value = new Uint8Array(4 * numbers.length);
  const view = new DataView(value.buffer);
  numbers.forEach((number, place) => {
    view.setUint32(4 * place, number);
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
