/** Which check an answer failed. */
export type VerifyErrorCode =
  /** The answer is not of the form that the interface gives it. */
  | 'malformed'
  /** The header is of another chain. */
  | 'wrong_chain'
  /** There is no certificate, so nothing says that the header is final. */
  | 'no_certificate'
  /** The certificate is under another key than the trusted one. */
  | 'wrong_key'
  /** The certificate is of another block than the header's. */
  | 'wrong_certificate'
  /** The headers between the block and the certified one are too many, or do not follow one another. */
  | 'wrong_descendant'
  /** The certificate's signature is not good. */
  | 'bad_signature'
  /** The header is another one than the trusted or expected one. */
  | 'wrong_header'
  /** The proof is of something else than was asked for: another key, height, index or transaction. */
  | 'wrong_subject'
  /** The proof does not lead to the root that the header commits to. */
  | 'not_proved';

/** Thrown by everything that verifies: the answer must not be believed, and the message says which check it failed. */
export class VerifyError extends Error {
  override readonly name = 'VerifyError';
  readonly code: VerifyErrorCode;

  constructor(code: VerifyErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
