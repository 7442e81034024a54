/** The keys of the ledger's columns: big-endian, so that byte order is the order of heights and places. */

/** be64(height) ‖ be32(pack): key of a pack of a block's items or receipts; the header is under be64(height). */
export function packKey(height: bigint, pack: number): Uint8Array {
  const key = new Uint8Array(12);
  const view = new DataView(key.buffer);
  view.setBigUint64(0, height);
  view.setUint32(8, pack);
  return key;
}

/** be64(height) ‖ be32(index): where a transaction is, the value in `transactions`. */
export function encodePosition(place: TransactionPosition): Uint8Array {
  return packKey(place.height, place.index);
}

export function decodePosition(value: Uint8Array): TransactionPosition {
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
  return { height: view.getBigUint64(0), index: view.getUint32(8) };
}

/** Where in the chain a transaction is. */
export interface TransactionPosition {
  readonly height: bigint;
  /** Place in the block, from 0. */
  readonly index: number;
}
