import { CodedError } from '../base/errors.js';

/** Why a data directory's chain cannot be opened, or a block cannot be built or committed. */
export type ChainErrorCode =
  /** The directory holds a chain with another genesis. */
  | 'other_chain'
  /** A snapshot is being imported into the directory. */
  | 'importing'
  /** The directory holds no chain. */
  | 'no_chain'
  /** Required data is missing from the store. */
  | 'damaged'
  /** The parent is neither the last committed block nor a pending one. */
  | 'unknown_parent'
  /** The block to commit is not pending. */
  | 'unknown_block'
  /** The limit for pending blocks is reached. */
  | 'too_many_pending'
  /** The proposer is not in the epoch's validator set. */
  | 'no_validator'
  /** The node does not propose blocks. */
  | 'no_proposer';

export class ChainError extends CodedError<ChainErrorCode> {
  override readonly name = 'ChainError';
}
