import type { Weights } from './scalars/lagrange.js';

export interface Sha256 {
  /** SHA-256 of `data`: 32 bytes. */
  sha256(data: Uint8Array): Uint8Array;
}

/** The hashes of trees. */
export interface Hashes extends Sha256 {
  /**
   * SHA-256 of many 64-byte inputs at once, as in a Merkle layer.
   * @param input n × 64 bytes, n may be 0
   * @param output receives n × 32 bytes; allocated by default
   * @returns `output`
   */
  sha256Pairs(input: Uint8Array, output?: Uint8Array): Uint8Array;
}

/** Cryptographic primitives, native or pure. It is a consensus rule that both accept the same signatures. */
export interface Crypto extends Hashes {
  /** Keccak-256 (original padding, as in Ethereum) of `data`: 32 bytes. */
  keccak256(data: Uint8Array): Uint8Array;
  readonly ed25519: Ed25519;
  readonly secp256k1: Secp256k1;
}

/**
 * Ed25519 (RFC 8032) with strict, cofactorless verification: s below the group order, canonical encodings, and no
 * public key or R of small order.
 */
export interface Ed25519 {
  /** The 32-byte public key of a 32-byte seed. @throws CryptoError `invalid_length`, like the two below */
  publicKey(seed: Uint8Array): Uint8Array;
  /** The 64-byte signature of `message` under a 32-byte seed. */
  sign(message: Uint8Array, seed: Uint8Array): Uint8Array;
  /** Like {@link sign} for many messages under one seed: the key is expanded once and kept in memory. */
  signer(seed: Uint8Array): (message: Uint8Array) => Uint8Array;
  /** True if a 64-byte signature is valid; false for any malformed input, never throws. */
  verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
}

/** ECDSA over secp256k1 (SEC 2) of 32-byte hashes, deterministic nonces (RFC 6979), low s only (BIP 62). */
export interface Secp256k1 {
  /** The 33-byte compressed public key of a private key. @throws CryptoError `invalid_private_key` */
  publicKey(privateKey: Uint8Array): Uint8Array;
  /** The 65-byte uncompressed form (0x04 ‖ x ‖ y) of a 33-byte key, or undefined if it is not on the curve. */
  uncompress(publicKey: Uint8Array): Uint8Array | undefined;
  /** The signature r ‖ s, 64 bytes, of a hash. @throws CryptoError `invalid_length`, `invalid_private_key` */
  sign(hash: Uint8Array, privateKey: Uint8Array): Uint8Array;
  /** True if r ‖ s is valid with low s; false for any malformed input, never throws. */
  verify(signature: Uint8Array, hash: Uint8Array, publicKey: Uint8Array): boolean;
  /**
   * The 65-byte uncompressed key for which `verify` accepts r ‖ s, or undefined if there is none; never throws.
   * @param recoveryId 0 to 3: the low bit is the parity of R's y, the high bit means that R's x is r plus the group
   * order
   */
  recover(signature: Uint8Array, hash: Uint8Array, recoveryId: number): Uint8Array | undefined;
}

export interface BlsKeys {
  /** The public key of a big-endian private key, 32 bytes. @throws CryptoError `invalid_private_key` */
  publicKey(privateKey: Uint8Array): Uint8Array;
}

export interface BlsKeyCheck {
  /** True for a valid public key: 48 bytes, a canonical compressed point of G1's subgroup, not infinity. */
  isPublicKey(bytes: Uint8Array): boolean;
}

/**
 * BLS signatures over BLS12-381, suite `BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_` (draft-irtf-cfrg-bls-signature):
 * public keys in G1 (48 bytes), signatures in G2 (96 bytes), both compressed. Loaded separately from {@link Crypto}, by
 * load-bls.ts.
 */
export interface Bls extends BlsKeys, BlsKeyCheck {
  /** The signature of `message` under a private key. @throws CryptoError as {@link publicKey} */
  sign(message: Uint8Array, privateKey: Uint8Array): Uint8Array;
  /** True if a signature is valid; false for any malformed input, never throws. */
  verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
}

/**
 * BLS with threshold signatures: validator i has the share f(i + 1) of a group key f(0) and signs with it as with any
 * private key; a quorum of such partial signatures combines into the signature under the group key.
 */
export interface ThresholdBls extends Bls {
  /**
   * The weighted sum of partial signatures: 96 bytes, or undefined if one is not on the curve or the sum is infinity.
   * Neither their validity nor their subgroup is checked; `verify` the sum under the group key.
   */
  interpolate(partials: readonly Uint8Array[], weights: Weights): Uint8Array | undefined;
}
