import { CodedError } from '../../base/errors.js';

/** Error codes of the signature worker; invalid signatures are not errors. */
export type SignatureServiceErrorCode =
  /** Too many jobs are pending. */
  | 'overloaded'
  /** The worker has no keys of the epoch, or no share to sign with. */
  | 'unknown_epoch'
  /** The share is not the private key of its validator's share key. */
  | 'wrong_share'
  /** An invalid argument. */
  | 'invalid_input'
  | 'stopped'
  /** The worker has failed for good. */
  | 'worker_failed';

/** Thrown by the signature service; messages never contain a share. */
export class SignatureServiceError extends CodedError<SignatureServiceErrorCode> {
  override readonly name = 'SignatureServiceError';
}
