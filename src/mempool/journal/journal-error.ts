import { CodedError } from '../../base/errors.js';

export type JournalErrorCode = 'unreadable' | 'unwritable';

export class JournalError extends CodedError<JournalErrorCode> {
  override readonly name = 'JournalError';
}
