/**
 * - `missing`: there is no such file;
 * - `unreadable`: the system refuses to read or write it;
 * - `exposed`: it is plain text that others can read;
 * - `malformed`: its content is invalid;
 * - `passphrase`: it is encrypted, and the passphrase is wrong or missing;
 * - `mismatch`: it is well-formed but belongs to something else.
 */
export type SecretFileErrorCode =
  | 'missing'
  | 'unreadable'
  | 'exposed'
  | 'malformed'
  | 'passphrase'
  | 'mismatch';

/** Thrown when a validator's secret file is unusable. The message never contains the file's content. */
export class SecretFileError extends Error {
  override readonly name = 'SecretFileError';
  readonly code: SecretFileErrorCode;

  constructor(code: SecretFileErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
