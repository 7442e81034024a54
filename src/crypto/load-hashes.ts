import { nodeSha256Pairs } from '../../native-free/crypto/sha256-pairs.js';
import type { NativeMode, NativeReport } from '../config/native-mode.js';
import { chooseImplementation } from './choose-implementation.js';
import type { Hashes } from './crypto.js';
import { CryptoError, expectLength } from './crypto-error.js';
import { loadHashtreePairs } from './native/hashtree-pairs.js';
import { checkSha256Pairs } from './self-check.js';
import { sha256 } from './sha256.js';

/** Like `loadCrypto`, for threads that only hash: skips the signature libraries, which take longer to load. */
export async function loadHashes(mode: NativeMode, report?: NativeReport): Promise<Hashes> {
  const pairs = await chooseImplementation(
    {
      name: 'sha256 pairs',
      nativeName: '@chainsafe/hashtree',
      loadNative: loadHashtreePairs,
      fallbackName: 'node:crypto',
      loadFallback: async () => nodeSha256Pairs,
      check: checkSha256Pairs,
    },
    mode,
    report,
  );
  return {
    sha256,
    sha256Pairs(input, output) {
      if (input.length % 64 !== 0) {
        const message = `sha256Pairs: expected a multiple of 64 bytes, got ${input.length}`;
        throw new CryptoError('invalid_length', message);
      }
      if (output !== undefined) expectLength('sha256Pairs: output', output, input.length / 2);
      return pairs(input, output);
    },
  };
}
