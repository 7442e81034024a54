import type { NativeMode, NativeReport } from '../config/native-mode.js';
import { choosePart } from './choose-part.js';
import type { Bls } from './crypto.js';
import { loadBlst } from './native/blst.js';
import { checkBls } from './self-check.js';
import { StrictBls } from './strict-bls.js';

/**
 * BLS signatures, chosen as `loadCrypto` chooses. Apart from it because pairing libraries take long to load (10 ms native,
 * 100 ms pure) and most threads never need one. The pure one takes 4 ms to sign and 14 ms to verify: not for the main thread.
 * @throws CryptoError `native_unavailable`, `implementation_refused`, as `loadCrypto` says
 */
export async function loadBls(mode: NativeMode, report?: NativeReport): Promise<Bls> {
  const backend = await choosePart(
    {
      name: 'bls12-381',
      nativeName: '@chainsafe/blst',
      loadNative: loadBlst,
      twinName: '@noble/curves',
      loadTwin: async () => (await import('../../native-free/crypto/bls.js')).nobleBls(),
      check: (implementation) => checkBls(new StrictBls(implementation)),
    },
    mode,
    report,
  );
  return new StrictBls(backend);
}
