import { createRequire } from 'node:module';
import type { Secp256k1Backend } from '../strict-secp256k1.js';

/** The part of the `secp256k1` package used here, which has no type declarations. */
interface Libsecp256k1 {
  publicKeyCreate(privateKey: Uint8Array, compressed: boolean): Uint8Array;
  publicKeyConvert(publicKey: Uint8Array, compressed: boolean): Uint8Array;
  ecdsaSign(hash: Uint8Array, privateKey: Uint8Array): { readonly signature: Uint8Array };
  ecdsaVerify(signature: Uint8Array, hash: Uint8Array, publicKey: Uint8Array): boolean;
  ecdsaRecover(signature: Uint8Array, recoveryId: number, hash: Uint8Array, compressed: boolean): Uint8Array;
}

/**
 * secp256k1 by libsecp256k1. Only the package's binding is loaded, because its main entry would silently fall back to
 * another JavaScript implementation.
 * @throws if the package or its binary is missing
 */
export function loadLibsecp256k1(): Secp256k1Backend {
  const library = createRequire(import.meta.url)('secp256k1/bindings.js') as Libsecp256k1;
  return {
    publicKey: (privateKey) => library.publicKeyCreate(privateKey, true),
    uncompress: (publicKey) => library.publicKeyConvert(publicKey, false),
    sign: (hash, privateKey) => library.ecdsaSign(hash, privateKey).signature,
    verify: (signature, hash, publicKey) => library.ecdsaVerify(signature, hash, publicKey),
    recover: (signature, hash, recoveryId) => library.ecdsaRecover(signature, recoveryId, hash, false),
  };
}
