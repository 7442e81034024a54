import { createHostCrypto } from '../../../src/vm/host-crypto.js';
import { PURE_BLS } from './pure-bls.js';
import { PURE_CRYPTO } from './pure-crypto.js';

/** The contracts' crypto in its pure form, without native parts. */
export const HOST_CRYPTO = createHostCrypto(PURE_CRYPTO, PURE_BLS);
