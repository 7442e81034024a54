/** Why the chain of a data directory cannot be opened. */
export type ChainErrorCode =
  /** The directory holds the chain of another genesis. */
  | 'other_chain'
  /** A snapshot is being taken into the directory. */
  | 'importing'
  /** There is no chain. */
  | 'no_chain'
  /** Something that must be stored is not there. */
  | 'damaged';

export class ChainError extends Error {
  override readonly name = 'ChainError';

  constructor(
    readonly code: ChainErrorCode,
    message: string,
  ) {
    super(message);
  }
}
