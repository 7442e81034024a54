import { ed25519Address } from '../../../crypto/address.js';
import type { Crypto } from '../../../crypto/crypto.js';
import { sha256 } from '../../../crypto/sha256.js';
import type { ValidatorIdentity } from '../../files/identity-file.js';
import { SIM_CRYPTO } from '../sim-crypto.js';

/** Stands in for a signature: the hash of key and message, twice. Only this file makes them. */
function signed(publicKey: Uint8Array, message: Uint8Array): Uint8Array {
  const half = sha256(Buffer.concat([publicKey, message]));
  const signature = new Uint8Array(64);
  signature.set(half);
  signature.set(half, 32);
  return signature;
}

export const RESHARING_CRYPTO: Crypto = {
  ...SIM_CRYPTO,
  ed25519: {
    publicKey: sha256,
    sign: (message, seed) => signed(sha256(seed), message),
    signer: (seed) => {
      const publicKey = sha256(seed);
      return (message) => signed(publicKey, message);
    },
    verify: (signature, message, publicKey) => Buffer.compare(signature, signed(publicKey, message)) === 0,
  },
};

export function simIdentity(index: number): ValidatorIdentity {
  const seed = sha256(new TextEncoder().encode(`identity ${index}`));
  const publicKey = RESHARING_CRYPTO.ed25519.publicKey(seed);
  return { seed, publicKey, address: ed25519Address(RESHARING_CRYPTO, publicKey) };
}
