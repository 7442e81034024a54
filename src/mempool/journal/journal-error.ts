export type JournalErrorCode = 'unreadable' | 'unwritable';

export class JournalError extends Error {
  override readonly name = 'JournalError';

  constructor(
    readonly code: JournalErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
