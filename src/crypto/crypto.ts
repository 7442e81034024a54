import type { Weights } from './scalars/lagrange.js';

/**
 * The cryptographic primitives that the node needs, behind one interface with a native and a pure implementation.
 * Both accept and refuse exactly the same signatures: that is a consensus rule, not a convenience.
 */
export interface Crypto {
  /** SHA-256 of `data`: 32 bytes. */
  sha256(data: Uint8Array): Uint8Array;
  /**
   * SHA-256 of many 64-byte inputs at once, the shape of a Merkle layer.
   * @param input n × 64 bytes, n may be 0
   * @param output where they are written, n × 32 bytes; memory of its own unless given
   * @returns `output`
   */
  sha256Pairs(input: Uint8Array, output?: Uint8Array): Uint8Array;
  /** Keccak-256 (the original padding, as Ethereum uses it) of `data`: 32 bytes. */
  keccak256(data: Uint8Array): Uint8Array;
  readonly ed25519: Ed25519;
  readonly secp256k1: Secp256k1;
}

/**
 * Ed25519 (RFC 8032), verified strictly and without cofactor: s below the group order, canonical encodings,
 * no public key and no R of small order.
 */
export interface Ed25519 {
  /** The 32-byte public key of a 32-byte seed. */
  publicKey(seed: Uint8Array): Uint8Array;
  /** The 64-byte signature of `message` under a 32-byte seed. */
  sign(message: Uint8Array, seed: Uint8Array): Uint8Array;
  /** As {@link sign} under one seed, for many messages: the key is made of it once, and kept in memory. */
  signer(seed: Uint8Array): (message: Uint8Array) => Uint8Array;
  /** Whether a 64-byte signature is good; false, never an exception, for anything else. */
  verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
}

/** ECDSA over secp256k1 (SEC 2) of 32-byte hashes, deterministic nonces (RFC 6979), low s only (BIP 62). */
export interface Secp256k1 {
  /** The 33-byte compressed public key of a 32-byte private key. */
  publicKey(privateKey: Uint8Array): Uint8Array;
  /** The 65-byte uncompressed form (0x04 ‖ x ‖ y) of a 33-byte key, or undefined where it is no point. */
  uncompress(publicKey: Uint8Array): Uint8Array | undefined;
  /** r ‖ s, 64 bytes, of a 32-byte hash under a 32-byte private key. */
  sign(hash: Uint8Array, privateKey: Uint8Array): Uint8Array;
  /** Whether r ‖ s is good and s is low; false, never an exception, for anything else. */
  verify(signature: Uint8Array, hash: Uint8Array, publicKey: Uint8Array): boolean;
  /**
   * The 65-byte uncompressed key under which `verify` accepts r ‖ s, or undefined where there is none: never an exception.
   * @param recoveryId 0 to 3: its low bit is the parity of R's y, its high bit says that R's x is r plus the group order
   */
  recover(signature: Uint8Array, hash: Uint8Array, recoveryId: number): Uint8Array | undefined;
}

/**
 * BLS signatures over BLS12-381, suite `BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_` (draft-irtf-cfrg-bls-signature):
 * public keys in G1 (48 bytes), signatures in G2 (96 bytes), both compressed. Loaded apart from {@link Crypto}, where it
 * is needed, by load-bls.ts.
 */
export interface Bls {
  /** The public key of a private key: 32 bytes, big-endian, from 1 to the group order minus 1. */
  publicKey(privateKey: Uint8Array): Uint8Array;
  /** The signature of `message` under a 32-byte private key. */
  sign(message: Uint8Array, privateKey: Uint8Array): Uint8Array;
  /** Whether bytes are a public key: 48, a canonical compressed point of G1's subgroup, not infinity. */
  isPublicKey(bytes: Uint8Array): boolean;
  /** Whether a signature is good; false, never an exception, for anything else. */
  verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
}

/**
 * What threshold signatures need besides: validator i has the share f(i + 1) of a group key f(0), signs with it as with any
 * private key, and a quorum of such partial signatures makes the signature under the group key.
 */
export interface ThresholdBls extends Bls {
  /**
   * The sum of partial signatures, each times its weight: 96 bytes, or undefined where one is no point of the curve or the sum
   * is infinity. That they are good, or even in the subgroup, is not looked at: whether the sum is a signature, `verify` under
   * the group key tells.
   */
  interpolate(partials: readonly Uint8Array[], weights: Weights): Uint8Array | undefined;
}
