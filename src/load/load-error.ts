import { CodedError } from '../base/errors.js';

type LoadErrorCode =
  /** The chain has no funded development accounts, and no key was given. */
  | 'not_dev_chain'
  /** The paying account has no funds or too little. */
  | 'no_funds'
  /** The load's contracts or accounts could not be set up on the chain. */
  | 'setup_failed'
  /** The report to compare with is missing, or no report of this version. */
  | 'bad_report';

export class LoadError extends CodedError<LoadErrorCode> {
  override readonly name = 'LoadError';
}
