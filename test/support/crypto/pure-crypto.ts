import { loadCrypto } from '../../../src/crypto/load-crypto.js';

/** The fallbacks, loaded once for all tests of a process. */
export const PURE_CRYPTO = await loadCrypto('off');
