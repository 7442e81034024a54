import type { Crypto } from '../../crypto/crypto.js';
import { BorshError } from '../../idl/codecs/codec-errors.js';
import { invalidParams } from '../errors.js';

/**
 * Decodes a parameter in Borsh.
 * @param type name of its Borsh type
 * @param path such as `params.encoded`
 * @param index its index, if the path leads to a list of such values
 * @throws RpcError `invalid_params` if it is malformed
 */
export function decodedParam<T>(
  decode: (encoded: Uint8Array, crypto: Crypto) => T,
  encoded: Uint8Array,
  crypto: Crypto,
  type: string,
  path: string,
  index?: number,
): T {
  try {
    return decode(encoded, crypto);
  } catch (error) {
    if (!(error instanceof BorshError)) throw error;
    throw invalidParams(index === undefined ? path : `${path}[${index}]`, `borsh(${type})`, error.message);
  }
}
