/**
 * Evaluations encrypted to a player: ElGamal over G1 with a hashed mask. E = r·G1 for a random scalar r, D = r·X for the
 * player's encryption key X = x·G1; share = evaluation ⊕ sha256("heddle/share/1" ‖ context ‖ E ‖ D). A player that was
 * dealt garbage proves it by publishing D, see complaint.ts.
 *
 * Takes milliseconds, so it must not run on the main thread.
 */
import { bls12_381 } from '@noble/curves/bls12-381.js';
import type { Bls, Crypto } from '../crypto.js';
import { decodeEvaluation, encodeScalar, type RandomBytes, randomScalar } from '../scalars/scalars.js';
import { decodeChecked } from './commitments.js';

const MASK = new TextEncoder().encode('heddle/share/1');

/** The dealing and player of a sealed share, bound into its mask. */
export interface ShareContext {
  readonly chainId: bigint;
  /** Epoch of the dealing; 0 in the ceremony. */
  readonly epoch: bigint;
  readonly dealer: number;
  readonly player: number;
}

/** An encrypted evaluation. */
export interface SealedEvaluation {
  /** E, 48 bytes. */
  readonly ephemeral: Uint8Array;
  /** The masked evaluation, 32 bytes. */
  readonly share: Uint8Array;
}

/** u64le chain_id ‖ u64le epoch ‖ u32le dealer ‖ u32le player: 24 bytes. */
export function encodeShareContext({ chainId, epoch, dealer, player }: ShareContext): Uint8Array {
  const bytes = new Uint8Array(24);
  const fields = new DataView(bytes.buffer);
  fields.setBigUint64(0, chainId, true);
  fields.setBigUint64(8, epoch, true);
  fields.setUint32(16, dealer, true);
  fields.setUint32(20, player, true);
  return bytes;
}

/**
 * Encrypts an evaluation to a player.
 * @param encryptionKey the player's X, 48 bytes; `Bls.isPublicKey` must accept it
 * @param evaluation below the group order
 * @throws Error if the key is not on the curve
 */
export function sealEvaluation(
  { crypto, bls, random }: SealingParts,
  context: ShareContext,
  encryptionKey: Uint8Array,
  evaluation: bigint,
): SealedEvaluation {
  const r = randomScalar(random);
  const ephemeral = bls.publicKey(encodeScalar(r));
  const shared = sharedPoint(encryptionKey, r);
  return { ephemeral, share: xor(encodeScalar(evaluation), mask(crypto, context, ephemeral, shared)) };
}

/** What sealing needs. */
export interface SealingParts {
  readonly crypto: Pick<Crypto, 'sha256'>;
  readonly bls: Pick<Bls, 'publicKey'>;
  readonly random: RandomBytes;
}

/**
 * D, 48 bytes: the same for the dealer, from X and r, and for the player, from E and x.
 * @param point X or E, 48 bytes; `Bls.isPublicKey` must accept it
 * @param secret r or x, from 1 to the group order minus 1
 */
export function sharedPoint(point: Uint8Array, secret: bigint): Uint8Array {
  const [decoded = bls12_381.G1.Point.ZERO] = decodeChecked([point]);
  return decoded.multiply(secret).toBytes(true);
}

/**
 * Decrypts an evaluation.
 * @param shared D, 48 bytes
 * @returns undefined if the content is not below the group order
 */
export function unmaskEvaluation(
  crypto: Pick<Crypto, 'sha256'>,
  context: ShareContext,
  { ephemeral, share }: SealedEvaluation,
  shared: Uint8Array,
): bigint | undefined {
  return decodeEvaluation(xor(share, mask(crypto, context, ephemeral, shared)));
}

function mask(
  crypto: Pick<Crypto, 'sha256'>,
  context: ShareContext,
  ephemeral: Uint8Array,
  shared: Uint8Array,
): Uint8Array {
  return crypto.sha256(Buffer.concat([MASK, encodeShareContext(context), ephemeral, shared]));
}

function xor(bytes: Uint8Array, by: Uint8Array): Uint8Array {
  return bytes.map((byte, at) => byte ^ (by[at] ?? 0));
}
