/** Why a load cannot run. */
export type LoadErrorCode =
  /** The chain has no funded development accounts, and no key was given. */
  | 'not_dev_chain'
  /** The paying account has no funds or too little. */
  | 'no_funds'
  /** The load's contracts or accounts could not be set up on the chain. */
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
