import { createRequire } from 'node:module';
import type { Ed25519Backend } from '../strict-ed25519.js';

/** The part of `sodium-native` used here, which has no type declarations. */
interface Sodium {
  crypto_sign_seed_keypair(publicKey: Uint8Array, secretKey: Uint8Array, seed: Uint8Array): void;
  crypto_sign_detached(signature: Uint8Array, message: Uint8Array, secretKey: Uint8Array): void;
  crypto_sign_verify_detached(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
}

/** Ed25519 by libsodium. @throws if the package or its binary is missing */
export function loadSodiumEd25519(): Ed25519Backend {
  const sodium = createRequire(import.meta.url)('sodium-native') as Sodium;
  const keyPair = (seed: Uint8Array) => {
    const publicKey = new Uint8Array(32);
    const secretKey = new Uint8Array(64);
    sodium.crypto_sign_seed_keypair(publicKey, secretKey, seed);
    return { publicKey, secretKey };
  };
  const sign = (message: Uint8Array, secretKey: Uint8Array) => {
    const signature = new Uint8Array(64);
    sodium.crypto_sign_detached(signature, message, secretKey);
    return signature;
  };
  return {
    publicKey: (seed) => keyPair(seed).publicKey,
    sign(message, seed) {
      const { secretKey } = keyPair(seed);
      const signature = sign(message, secretKey);
      secretKey.fill(0);
      return signature;
    },
    signer(seed) {
      const { secretKey } = keyPair(seed);
      return (message) => sign(message, secretKey);
    },
    verify: (signature, message, publicKey) =>
      sodium.crypto_sign_verify_detached(signature, message, publicKey),
  };
}
