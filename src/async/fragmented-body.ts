/** Pieces that any body may come in. */
const FREE_PIECES = 256;
/** One further piece for this many bytes: to read a chunk of one byte costs as much as to read one of 64. */
const BYTES_PER_PIECE = 64;

/**
 * Whether a body comes in too many pieces for its length. A server closes such a connection without an answer, because its peer
 * would go on sending.
 */
export function isFragmented(pieces: number, bytes: number): boolean {
  return pieces > FREE_PIECES + bytes / BYTES_PER_PIECE;
}
