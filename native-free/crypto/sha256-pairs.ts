import { hash } from 'node:crypto';

/** SHA-256 of many 64-byte inputs, one after the other by Node's own OpenSSL: n × 64 bytes in, n × 32 out. */
export function nodeSha256Pairs(input: Uint8Array): Uint8Array {
  const output = new Uint8Array(input.length / 2);
  for (let at = 0; at < output.length; at += 32) {
    output.set(hash('sha256', input.subarray(at * 2, at * 2 + 64), 'buffer'), at);
  }
  return output;
}
