import { CodedError } from '../../base/errors.js';

/** Why a sweep cannot be read. */
export type SweepErrorCode =
  /** The sweep file, one of its CSV files or an option has an unexpected value. */
  | 'bad_sweep'
  /** A file cannot be read, is no UTF-8 text or is too large. */
  | 'unreadable';

export class SweepError extends CodedError<SweepErrorCode> {
  override readonly name = 'SweepError';
}
