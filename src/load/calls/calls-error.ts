/** Why a run of calls cannot begin or go on. */
export type CallsErrorCode =
  /** The file for the results has some already. */
  | 'has_results'
  /** The file to go on with holds something else. */
  | 'no_results'
  /** The results cannot be written. */
  | 'unwritable'
  /** The calls cannot be read. */
  | 'unreadable'
  /** No node answers, or what answers is none. */
  | 'no_node';

export class CallsError extends Error {
  override readonly name = 'CallsError';

  constructor(
    readonly code: CallsErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
