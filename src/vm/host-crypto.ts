import { blake3 } from '@noble/hashes/blake3.js';
import type { Crypto } from '../crypto/crypto.js';
import { addBlake3 } from '../wasm/hashes/blake3.js';
import { standaloneHash } from '../wasm/hashes/standalone.js';

/**
 * Cryptographic primitives available to contracts. Their results are consensus: every implementation returns the same
 * result for the same input. None of them throws, whatever the input.
 */
export interface HostCrypto {
  /** Returns 32 bytes. */
  sha256(data: Uint8Array): Uint8Array;
  /** Returns 32 bytes. */
  blake3(data: Uint8Array): Uint8Array;
  /** Returns 32 bytes. */
  keccak256(data: Uint8Array): Uint8Array;
  /** @param signature 64 bytes @param publicKey 32 bytes */
  verifyEd25519(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
  /**
   * Returns the 20-byte address whose key signed `hash`, or undefined if there is none. Accepts only low s (BIP 62), as
   * everywhere on the chain, so that signatures are not malleable.
   * @param signature r ‖ s, 64 bytes
   * @param recoveryId 0 to 3
   */
  recoverSecp256k1(hash: Uint8Array, signature: Uint8Array, recoveryId: number): Uint8Array | undefined;
  /**
   * BLS12-381 with public keys in G1 and signatures in G2, suite `BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_`.
   * @param signature 96 bytes, compressed
   * @param publicKey 48 bytes, compressed
   */
  verifyBls(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
}

/** The part of BLS that contracts need. */
export interface BlsVerifier {
  /** True if a signature is valid; false for any malformed input, never throws. */
  verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
}

/** Creates the primitives for contracts from the node's own, plus BLAKE3. */
export function createHostCrypto(crypto: Crypto, bls: BlsVerifier): HostCrypto {
  return {
    sha256: (data) => crypto.sha256(data),
    blake3: standaloneHash(addBlake3, blake3),
    keccak256: (data) => crypto.keccak256(data),
    verifyEd25519: (signature, message, publicKey) => crypto.ed25519.verify(signature, message, publicKey),
    recoverSecp256k1: (hash, signature, recoveryId) => {
      const key = crypto.secp256k1.recover(signature, hash, recoveryId);
      return key === undefined ? undefined : crypto.keccak256(key.subarray(1)).slice(12);
    },
    verifyBls: (signature, message, publicKey) => bls.verify(signature, message, publicKey),
  };
}
