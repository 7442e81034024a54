/**
 * - `missing`: there is no such file;
 * - `unreadable`: the system does not let it be read or written;
 * - `exposed`: others can read it, and it is in the clear;
 * - `malformed`: it is not what it should be;
 * - `passphrase`: it is encrypted, and the passphrase is another one or was not given;
 * - `mismatch`: it is well-formed and belongs to something else.
 */
export type SecretFileErrorCode =
  | 'missing'
  | 'unreadable'
  | 'exposed'
  | 'malformed'
  | 'passphrase'
  | 'mismatch';

/** Thrown where a validator's secret file cannot serve. Nothing that the file holds is ever part of the message. */
export class SecretFileError extends Error {
  override readonly name = 'SecretFileError';
  readonly code: SecretFileErrorCode;

  constructor(code: SecretFileErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
