import { CodedError } from '../../../base/errors.js';

export type DevStateErrorCode =
  /** The directory holds a chain, or part of one. */
  | 'has_chain'
  /** A block left out a transfer that it should include. */
  | 'transfer_left_out';

export class DevStateError extends CodedError<DevStateErrorCode> {
  override readonly name = 'DevStateError';
}
