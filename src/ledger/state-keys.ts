import type { Crypto } from '../crypto/crypto.js';

/** The state key of an account: sha256(0x00 ‖ address20), 32 bytes. */
export function accountKey(crypto: Pick<Crypto, 'sha256'>, address: Uint8Array): Uint8Array {
  const preimage = new Uint8Array(21);
  preimage.set(address, 1);
  return crypto.sha256(preimage);
}

/** The state key of a contract's slot: sha256(0x01 ‖ address20 ‖ slot32), 32 bytes. */
export function slotKey(crypto: Pick<Crypto, 'sha256'>, contract: Uint8Array, slot: Uint8Array): Uint8Array {
  const preimage = new Uint8Array(53);
  preimage[0] = 1;
  preimage.set(contract, 1);
  preimage.set(slot, 21);
  return crypto.sha256(preimage);
}
