import { loadBls } from '../../../src/crypto/load-bls.js';

/** The fallback, loaded once for all tests of a process. */
export const PURE_BLS = await loadBls('off');
