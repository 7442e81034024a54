import { CodedError, errorMessage, hasCode } from '../../base/errors.js';

/** Why results cannot be written. */
export type ResultsErrorCode =
  /** A file, a folder or a stream cannot be written, for example because the disk is full. */
  | 'unwritable'
  /** The program that reads standard output has ended. */
  | 'reader_gone'
  /** The folder holds results of another run, or of this run in another form. */
  | 'other_results'
  /** The folder's files are not those that its manifest lists. */
  | 'damaged'
  /** Another process writes to the folder. */
  | 'in_use'
  /** This version of Node has no zstd. */
  | 'no_zstd'
  /** A line is not a result. */
  | 'bad_line';

export class ResultsError extends CodedError<ResultsErrorCode> {
  override readonly name = 'ResultsError';
}

/** @param what such as `results-00001.ndjson` or `standard output` */
export function unwritable(what: string, cause: unknown): ResultsError {
  if (cause instanceof ResultsError) return cause;
  if (hasCode(cause, 'EPIPE')) {
    return new ResultsError('reader_gone', `nothing reads ${what} any more`, { cause });
  }
  return new ResultsError('unwritable', `cannot write ${what}: ${errorMessage(cause)}`, { cause });
}
