import { bls12_381 } from '@noble/curves/bls12-381.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { blake3 } from '@noble/hashes/blake3.js';
import type { Crypto } from '../crypto/crypto.js';

/**
 * The primitives that contracts can call. Every implementation answers the same for every input: the answers are
 * consensus. None throws for any bytes.
 */
export interface HostCrypto {
  /** 32 bytes. */
  sha256(data: Uint8Array): Uint8Array;
  /** 32 bytes. */
  blake3(data: Uint8Array): Uint8Array;
  /** 32 bytes. */
  keccak256(data: Uint8Array): Uint8Array;
  /** @param signature 64 bytes @param publicKey 32 bytes */
  verifyEd25519(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
  /**
   * The 20-byte address whose key signed `hash`, or undefined where there is none. Only low s (BIP 62), as everywhere
   * on the chain, so that nobody can make a second signature of one.
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

const BLS_DOMAIN = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_';

/** The primitives of contracts, on top of the node's own where it has them. */
export function createHostCrypto(crypto: Crypto): HostCrypto {
  return {
    sha256: (data) => crypto.sha256(data),
    blake3: (data) => blake3(data),
    keccak256: (data) => crypto.keccak256(data),
    verifyEd25519: (signature, message, publicKey) => crypto.ed25519.verify(signature, message, publicKey),
    recoverSecp256k1: (hash, signature, recoveryId) => {
      const key = recoverKey(hash, signature, recoveryId);
      return key === undefined ? undefined : crypto.keccak256(key.subarray(1)).slice(12);
    },
    verifyBls,
  };
}

/** The 65-byte uncompressed key, or undefined. */
function recoverKey(hash: Uint8Array, signature: Uint8Array, recoveryId: number): Uint8Array | undefined {
  if (recoveryId < 0 || recoveryId > 3) {
    return undefined;
  }
  try {
    const parsed = secp256k1.Signature.fromBytes(signature, 'compact');
    if (parsed.hasHighS()) {
      return undefined;
    }
    return parsed.addRecoveryBit(recoveryId).recoverPublicKey(hash).toBytes(false);
  } catch (error) {
    return refusedInput(error, undefined);
  }
}

function verifyBls(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  const { longSignatures } = bls12_381;
  try {
    // The points are checked to be in their groups, and the identity is refused as a key.
    const point = longSignatures.Signature.fromBytes(signature);
    point.assertValidity();
    return longSignatures.verify(point, longSignatures.hash(message, BLS_DOMAIN), publicKey);
  } catch (error) {
    return refusedInput(error, false);
  }
}

/** The library throws plain errors for bytes that are no point or scalar; anything else is not its answer. */
function refusedInput<T>(error: unknown, answer: T): T {
  if (error instanceof Error && !(error instanceof TypeError) && !(error instanceof ReferenceError)) {
    return answer;
  }
  throw error;
}
