import { sha256 } from '@noble/hashes/sha2.js';
import type { Hashes } from '../../crypto/crypto.js';

/** SHA-256 that runs everywhere, browsers included. */
export const portableHashes: Hashes = {
  sha256: (data) => sha256(data),
  sha256Pairs(input, output = new Uint8Array(input.length / 2)) {
    for (let at = 0; at < output.length; at += 32) {
      output.set(sha256(input.subarray(2 * at, 2 * at + 64)), at);
    }
    return output;
  },
};
