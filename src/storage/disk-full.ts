import { errorMessage } from '../base/errors.js';
import { StoreError } from './store-error.js';

/**
 * The error of a write that failed, most often because the disk is full. The store accepts no more writes after it, so
 * that no batch is applied after a missing one, and the node ends (`node/faults.ts`). Only the pool's journal waits for
 * room: the node refuses transactions meanwhile (`mempool/journal`).
 * @param what that was written to, such as `the database`
 */
export function writeFailure(what: string, cause: unknown): StoreError {
  const text = `cannot write to ${what}: ${errorMessage(cause)}. No more writes are accepted`;
  const advice = 'restart once the cause is fixed: all acknowledged writes are kept';
  return new StoreError('write_failed', `${text}; ${advice}`, { cause });
}
