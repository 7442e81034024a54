import { CodedError } from '../../base/errors.js';

/** The check that an answer failed. */
export type VerifyErrorCode =
  /** The answer does not have the form that the interface defines. */
  | 'malformed'
  /** The header is from another chain. */
  | 'wrong_chain'
  /** There is no certificate, so the header is not shown to be final. */
  | 'no_certificate'
  /** The certificate's key is not the trusted one. */
  | 'wrong_key'
  /** The certificate is for a different block than the header. */
  | 'wrong_certificate'
  /** There are too many headers between the block and the certified one, or they do not form a chain. */
  | 'wrong_descendant'
  /** The certificate's signature is invalid. */
  | 'bad_signature'
  /** The header is not the trusted or expected one. */
  | 'wrong_header'
  /** The proof is for a different subject than the requested one: another key, height, index or transaction. */
  | 'wrong_subject'
  /** The proof does not lead to the root that the header commits to. */
  | 'not_proved';

/** Thrown by all verifiers: the answer must not be trusted. The message names the failed check. */
export class VerifyError extends CodedError<VerifyErrorCode> {
  override readonly name = 'VerifyError';
}
