import { CodedError, errorMessage } from '../base/errors.js';

/**
 * Store error codes.
 * - `damaged`: stored bytes are inconsistent; the message says where and what to do;
 * - `wrong_format`: the files are valid but were created by another implementation or version;
 * - `unavailable`: the requested implementation cannot be loaded;
 * - `open_failed`: the files could not be opened (permissions, disk, a lock);
 * - `read_failed`, `write_failed`: the operating system or the database reported an error; after a failed write the
 *   store accepts no more writes, so that no batch is applied after a missing one;
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

export class StoreError extends CodedError<StoreErrorCode> {
  override readonly name = 'StoreError';
}

/** An error whose message ends with that of its cause. */
export function storeErrorOf(code: StoreErrorCode, what: string, cause: unknown): StoreError {
  return new StoreError(code, `${what}: ${errorMessage(cause)}`, { cause });
}

/** Advice for repairing damage, as a sentence. */
export const REPAIR =
  'Restore the data directory from a snapshot or a backup, or move it away and synchronize the node again.';

/** True if the database's error message reports damage to its files. */
export function isCorruption(message: string): boolean {
  return /\bcorruption:|\bchecksum\b|\bmismatch\b/i.test(message);
}

/** True if an error, or one of its causes, reports damage to the store. */
export function isStoreDamage(error: unknown): boolean {
  let at = error;
  // A cause chain may be circular.
  for (let depth = 0; depth < 16 && at instanceof Error; depth++) {
    if (at instanceof StoreError) return at.code === 'damaged';
    at = at.cause;
  }
  return false;
}
