/**
 * What can go wrong with the store.
 * - `damaged`: stored bytes contradict themselves; the message says where and what to do;
 * - `wrong_format`: the files are sound but were made by another implementation or version;
 * - `unavailable`: the implementation asked for cannot be loaded here;
 * - `open_failed`: the files could not be opened (permissions, disk, a lock);
 * - `read_failed`, `write_failed`: the operating system or the database refused; after a failed write the store takes no
 *   further ones, so that nothing is ever applied on top of a hole;
 * - `invalid_batch`: encoded operations that do not parse, or an entry beyond the format's limits;
 * - `closed`: used after `close`.
 */
export type StoreErrorCode =
  | 'damaged'
  | 'wrong_format'
  | 'unavailable'
  | 'open_failed'
  | 'read_failed'
  | 'write_failed'
  | 'invalid_batch'
  | 'closed';

/** The one error class of the key-value store. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The text of anything thrown, for a message that quotes its cause. */
export function describeCause(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
