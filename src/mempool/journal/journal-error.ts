import { CodedError } from '../../base/errors.js';

export type JournalErrorCode = 'unreadable' | 'unwritable';

/** What clients learn of a journal that cannot be written; the log has the cause. */
export const UNWRITABLE = 'the node cannot write its pool journal and accepts no transactions until it can';

export class JournalError extends CodedError<JournalErrorCode> {
  override readonly name = 'JournalError';
}
