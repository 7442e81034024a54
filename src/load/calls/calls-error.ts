import { CodedError } from '../../base/errors.js';

/** Why a run of calls cannot start or continue. */
export type CallsErrorCode =
  /** The result file is not empty. */
  | 'has_results'
  /** The file to resume from does not end with a result. */
  | 'no_results'
  | 'unwritable'
  | 'unreadable'
  /** No node answers, or the server is not a node. */
  | 'no_node';

export class CallsError extends CodedError<CallsErrorCode> {
  override readonly name = 'CallsError';
}
