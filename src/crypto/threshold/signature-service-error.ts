/** What can go wrong with the signature worker; signatures that are not good are no errors. */
export type SignatureServiceErrorCode =
  /** Too many jobs wait already. */
  | 'overloaded'
  /** An epoch whose keys the worker does not have, or without a share to sign with. */
  | 'unknown_epoch'
  /** A share that is not the private key of its validator's share key. */
  | 'wrong_share'
  /** An argument that cannot be right. */
  | 'invalid_input'
  | 'stopped'
  /** The worker cannot serve any more. */
  | 'worker_failed';

/** Thrown by the signature service; no message holds a share. */
export class SignatureServiceError extends Error {
  override readonly name = 'SignatureServiceError';
  readonly code: SignatureServiceErrorCode;

  constructor(code: SignatureServiceErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
