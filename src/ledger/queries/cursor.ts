import { decodePosition, encodePosition, type TransactionPosition } from '../position-index.js';

/** Thrown for a cursor that this listing did not issue. */
export class CursorError extends Error {
  override readonly name = 'CursorError';
}

/**
 * Encodes the position after which a listing continues: base64url of listing name ‖ 0x00 ‖ filter ‖ be64(height) ‖
 * be32(index) ‖ be32(part), the part only for listings of a transaction's contents. A cursor works only for its
 * listing.
 * @param filter the listing's other criteria, such as a sender's address; fixed length per listing
 */
export function encodeCursor(listing: string, filter: Uint8Array, place: TransactionPosition): string {
  return encodeKeyCursor(listing, filter, encodePosition(place));
}

/** @throws CursorError if the cursor does not belong to this listing with this filter */
export function decodeCursor(listing: string, filter: Uint8Array, cursor: string): TransactionPosition {
  return decodePosition(decodeKeyCursor(listing, filter, cursor, 12));
}

/** Like {@link encodeCursor}, for a position inside a transaction. */
export function encodePartCursor(
  listing: string,
  filter: Uint8Array,
  place: TransactionPosition,
  part: number,
): string {
  return encodeKeyCursor(listing, filter, Buffer.concat([encodePosition(place), be32(part)]));
}

/** @throws CursorError if the cursor does not belong to this listing with this filter */
export function decodePartCursor(
  listing: string,
  filter: Uint8Array,
  cursor: string,
): { readonly place: TransactionPosition; readonly part: number } {
  const position = decodeKeyCursor(listing, filter, cursor, 16);
  return { place: decodePosition(position), part: position.readUInt32BE(12) };
}

/** Like {@link encodeCursor}, for a listing in the order of keys of one length: the last key listed. */
export function encodeKeyCursor(listing: string, filter: Uint8Array, key: Uint8Array): string {
  return Buffer.concat([cursorPrefix(listing, filter), key]).toString('base64url');
}

/** Returns the position, of `length` bytes. @throws CursorError if listing or filter differ */
export function decodeKeyCursor(listing: string, filter: Uint8Array, cursor: string, length: number): Buffer {
  const bytes = Buffer.from(cursor, 'base64url');
  const prefix = cursorPrefix(listing, filter);
  if (bytes.length !== prefix.length + length || !bytes.subarray(0, prefix.length).equals(prefix)) {
    const got = JSON.stringify(cursor.length > 40 ? `${cursor.slice(0, 40)}…` : cursor);
    throw new CursorError(`expected a next_cursor of ${listing} with the same filter, got ${got}`);
  }
  return bytes.subarray(prefix.length);
}

function cursorPrefix(listing: string, filter: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(listing), Buffer.of(0), filter]);
}

function be32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
