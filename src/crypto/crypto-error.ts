import { CodedError } from '../base/errors.js';

/** Error codes of this domain; malformed signatures are not errors, only invalid. */
export type CryptoErrorCode =
  /** A required native part does not load. */
  | 'native_unavailable'
  /** An implementation breaks the acceptance rules and must not be used. */
  | 'implementation_refused'
  /** An invalid private key (wrong length, zero, or not below the group order). */
  | 'invalid_private_key'
  /** Words that are no BIP-39 mnemonic. */
  | 'invalid_mnemonic'
  | 'invalid_length'
  /** A number outside the range of its encoding. */
  | 'out_of_range';

export class CryptoError extends CodedError<CryptoErrorCode> {
  override readonly name = 'CryptoError';
}

/** The result of a library, or undefined if it throws, as libraries do for some or all malformed input. */
export function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** @throws CryptoError `invalid_length` unless `bytes` has `length` bytes */
export function expectLength(what: string, bytes: Uint8Array, length: number): void {
  if (bytes.length !== length) {
    throw new CryptoError('invalid_length', `${what}: expected ${length} bytes, got ${bytes.length}`);
  }
}
