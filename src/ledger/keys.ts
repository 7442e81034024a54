/** Keys of the ledger's columns: big-endian, so that byte order is height and index order. */

/** Key of a pack of a block's items or receipts: be64(height) ‖ be32(pack). The header's key is be64(height). */
export function packKey(height: bigint, pack: number): Uint8Array {
  const key = new Uint8Array(12);
  const view = new DataView(key.buffer);
  view.setBigUint64(0, height);
  view.setUint32(8, pack);
  return key;
}

/** A transaction's position as stored in `transactions`: be64(height) ‖ be32(index). */
export function encodePosition(place: TransactionPosition): Uint8Array {
  return packKey(place.height, place.index);
}

export function decodePosition(value: Uint8Array): TransactionPosition {
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
  return { height: view.getBigUint64(0), index: view.getUint32(8) };
}

/** Position of a transaction in the chain. */
export interface TransactionPosition {
  readonly height: bigint;
  /** Index in the block, from 0. */
  readonly index: number;
}
