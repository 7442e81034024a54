import { sha256Into } from '../../src/crypto/sha256.js';

/** SHA-256 of many 64-byte inputs, one at a time by Node's OpenSSL: n × 64 bytes in, n × 32 out. */
export function nodeSha256Pairs(
  input: Uint8Array,
  output: Uint8Array = new Uint8Array(input.length / 2),
): Uint8Array {
  for (let at = 0; at < output.length; at += 32) {
    sha256Into(input.subarray(at * 2, at * 2 + 64), output, at);
  }
  return output;
}
