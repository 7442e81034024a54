import type { NativeMode, NativeReport } from '../config/native-mode.js';
import { chooseImplementation } from './choose-implementation.js';
import type { ThresholdBls } from './crypto.js';
import { loadBlst } from './native/blst.js';
import { checkThresholdBls } from './self-check.js';
import { strictThresholdBls } from './strict-bls.js';

/**
 * Loads BLS and threshold signatures, choosing like `loadCrypto`. It is separate because pairing libraries take long to
 * load (10 ms native, 100 ms pure) and most threads never need one. The pure implementation takes 4 ms to sign and 14
 * ms to verify, too long for the main thread.
 * @throws CryptoError `native_unavailable`, `implementation_refused`, as `loadCrypto`
 */
export async function loadBls(mode: NativeMode, report?: NativeReport): Promise<ThresholdBls> {
  const backend = await chooseImplementation(
    {
      name: 'bls12-381',
      nativeName: '@chainsafe/blst',
      loadNative: loadBlst,
      fallbackName: '@noble/curves',
      loadFallback: async () =>
        (await import('../../native-free/crypto/threshold-bls.js')).nobleThresholdBls(),
      check: (implementation) => checkThresholdBls(strictThresholdBls(implementation)),
    },
    mode,
    report,
  );
  return strictThresholdBls(backend);
}
