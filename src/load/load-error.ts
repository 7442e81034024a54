/** Why a load cannot be run. */
export type LoadErrorCode =
  /** The chain has no funded development accounts, and no key was given. */
  | 'not_dev_chain'
  /** The account that is to pay has nothing, or too little. */
  | 'no_funds'
  /** Something that the load needs could not be set up on the chain. */
  | 'setup_failed';

export class LoadError extends Error {
  override readonly name = 'LoadError';

  constructor(
    readonly code: LoadErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
