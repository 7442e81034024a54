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

/** What to do about damage, as a sentence. */
export const REPAIR =
  'Restore the data directory from a snapshot or a backup, or move it away and synchronize the node anew.';

/** Whether the database's words for an error tell of damage to its files. */
export function isCorruption(message: string): boolean {
  return /\bcorruption:|\bchecksum\b|\bmismatch\b/i.test(message);
}

/** Whether an error, or one that caused it, tells of damage to the store. */
export function isStoreDamage(error: unknown): boolean {
  let at = error;
  // A chain of causes may be a circle.
  for (let depth = 0; depth < 16 && at instanceof Error; depth++) {
    if (at instanceof StoreError) return at.code === 'damaged';
    at = at.cause;
  }
  return false;
}

/** The text of anything thrown, for a message that quotes its cause. */
export function describeCause(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
