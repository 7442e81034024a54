/** Number of pieces that a body of any length may arrive in. */
const BASE_PIECES = 256;
/** One more piece is allowed per this many bytes: reading a 1-byte chunk costs as much as reading a 64-byte one. */
const BYTES_PER_PIECE = 64;

/** True if a body has too many pieces for its length. Its connection is closed unanswered: the peer would go on. */
export function isFragmented(pieces: number, bytes: number): boolean {
  return pieces > BASE_PIECES + bytes / BYTES_PER_PIECE;
}
