import { loadBls } from '../../../src/crypto/load-bls.js';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';

/** Native parts where they load, fallbacks elsewhere: loaded once for all tests of a process. */
export const CRYPTO = await loadCrypto('auto');
export const BLS = await loadBls('auto');
