import { ChainError } from '../chain/chain-error.js';
import { ProofError, type ProofErrorCode } from '../proofs/proof-error.js';
import { StoreError, type StoreErrorCode } from '../storage/store-error.js';

/**
 * Faults without a caller that end the node: the store cannot write, for instance on a full disk, or contradicts
 * itself, or the state contradicts a header. Any other concerns one request, transaction or connection. Parts that
 * cannot continue, such as the proof worker, end the node through their `onFailure`.
 */
const FATAL_STORE: ReadonlySet<StoreErrorCode> = new Set(['write_failed', 'damaged', 'wrong_format']);
const FATAL_PROOFS: ReadonlySet<ProofErrorCode> = new Set(['damaged', 'root_mismatch']);

/** Whether an error or one of its causes is fatal to the node. */
export function isFatal(error: unknown): boolean {
  let at = error;
  // A chain of causes may be cyclic.
  for (let depth = 0; depth < 16 && at instanceof Error; depth++) {
    if (at instanceof StoreError) return FATAL_STORE.has(at.code);
    if (at instanceof ProofError && FATAL_PROOFS.has(at.code)) return true;
    if (at instanceof ChainError && at.code === 'damaged') return true;
    at = at.cause;
  }
  return false;
}
