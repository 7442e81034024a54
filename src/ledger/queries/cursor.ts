import type { TransactionPlace } from '../keys.js';

/** A cursor that this listing did not give out. */
export class CursorError extends Error {
  override readonly name = 'CursorError';
}

/**
 * Where a listing goes on: after the place that the last page ended with. Opaque to callers: base64url of
 * listing name ‖ 0x00 ‖ filter ‖ be64(height) ‖ be32(index). Listing and filter are part of it, so that a cursor serves
 * only the listing that gave it out.
 * @param filter what else the listing selects by, such as a sender's address; always the same length for one listing
 */
export function encodeCursor(listing: string, filter: Uint8Array, place: TransactionPlace): string {
  const prefix = cursorPrefix(listing, filter);
  const cursor = Buffer.alloc(prefix.length + 12);
  prefix.copy(cursor);
  cursor.writeBigUInt64BE(place.height, prefix.length);
  cursor.writeUInt32BE(place.index, prefix.length + 8);
  return cursor.toString('base64url');
}

/** @throws CursorError where the cursor is not one of this listing with this filter */
export function decodeCursor(listing: string, filter: Uint8Array, cursor: string): TransactionPlace {
  const bytes = Buffer.from(cursor, 'base64url');
  const prefix = cursorPrefix(listing, filter);
  if (bytes.length !== prefix.length + 12 || !bytes.subarray(0, prefix.length).equals(prefix)) {
    throw new CursorError(
      `expected a next_cursor of ${listing} with the same filter, got ${abridged(cursor)}`,
    );
  }
  return { height: bytes.readBigUInt64BE(prefix.length), index: bytes.readUInt32BE(prefix.length + 8) };
}

function cursorPrefix(listing: string, filter: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(listing), Buffer.of(0), filter]);
}

function abridged(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
