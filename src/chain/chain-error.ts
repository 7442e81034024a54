/** Why the chain of a data directory cannot be opened, or a block not be built or committed. */
export type ChainErrorCode =
  /** The directory holds the chain of another genesis. */
  | 'other_chain'
  /** A snapshot is being taken into the directory. */
  | 'importing'
  /** There is no chain. */
  | 'no_chain'
  /** Something that must be stored is not there. */
  | 'damaged'
  /** A block's parent is neither the last committed block nor a pending one. */
  | 'unknown_parent'
  /** A block that is to be committed is not pending. */
  | 'unknown_block'
  /** No more pending blocks fit. */
  | 'too_many_pending'
  /** A proposer that is not in the epoch's set. */
  | 'no_validator'
  /** The node is not one that proposes. */
  | 'no_proposer';

export class ChainError extends Error {
  override readonly name = 'ChainError';

  constructor(
    readonly code: ChainErrorCode,
    message: string,
  ) {
    super(message);
  }
}
