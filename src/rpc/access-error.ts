/** Why the node's own token files cannot be used. */
export type AccessErrorCode =
  /** The file with the node's secret holds something else. */
  | 'bad_secret'
  /** A file cannot be read or written. */
  | 'unusable_file';

/** Thrown at start, by whoever opens the token files. */
export class AccessError extends Error {
  override readonly name = 'AccessError';

  constructor(
    readonly code: AccessErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
