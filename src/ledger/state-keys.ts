import type { Crypto } from '../crypto/crypto.js';

/** The state key of an account: sha256(0x00 ‖ address20), 32 bytes. */
export function accountKey(crypto: Crypto, address: Uint8Array): Uint8Array {
  const preimage = new Uint8Array(21);
  preimage.set(address, 1);
  return crypto.sha256(preimage);
}
