/** What can go wrong in this domain; malformed signatures are not errors, they are simply not good. */
export type CryptoErrorCode =
  /** A native part was required and does not load. */
  | 'native_unavailable'
  /** An implementation gives other answers than the rules want; it must not be used. */
  | 'implementation_refused'
  /** A key that is no private key (wrong length, zero, or not below the group order). */
  | 'invalid_private_key'
  /** An argument of the wrong length. */
  | 'invalid_length'
  /** A number beyond what its encoding holds. */
  | 'out_of_range';

/** Thrown by the crypto domain. */
export class CryptoError extends Error {
  readonly code: CryptoErrorCode;

  constructor(code: CryptoErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CryptoError';
    this.code = code;
  }
}

/** @throws CryptoError `invalid_length` unless `bytes` has `length` bytes */
export function expectLength(what: string, bytes: Uint8Array, length: number): void {
  if (bytes.length !== length) {
    throw new CryptoError('invalid_length', `${what}: expected ${length} bytes, got ${bytes.length}`);
  }
}
