/**
 * Evaluations encrypted to a player: ElGamal over G1 with a hashed mask. E = r·G1 for a random scalar r, D = r·X for the
 * player's encryption key X = x·G1; share = evaluation ⊕ sha256("heddle/share/1" ‖ context ‖ E ‖ D). The dealer
 * proves that it knows r, see sealing-proof.ts. A player that was dealt garbage proves it by publishing D, see
 * complaint.ts.
 *
 * Takes milliseconds, so it must not run on the main thread.
 */
import { bls12_381 } from '@noble/curves/bls12-381.js';
import type { Sha256 } from '../crypto.js';
import { decodeEvaluation, encodeScalar, randomScalar } from '../scalars/scalars.js';
import { decodeChecked } from './commitments.js';
import { proveSealing, type SealingProof } from './sealing-proof.js';
import { type DkgParts, encodeShareContext, type ShareContext } from './share-context.js';

const MASK = new TextEncoder().encode('heddle/share/1');

export interface SealedEvaluation {
  /** E, 48 bytes. */
  readonly ephemeral: Uint8Array;
  /** The masked evaluation, 32 bytes. */
  readonly share: Uint8Array;
}

/**
 * Encrypts an evaluation to a player.
 * @param encryptionKey the player's X, 48 bytes; `Bls.isPublicKey` must accept it
 * @param evaluation below the group order
 * @throws Error if the key is not on the curve
 */
export function sealEvaluation(
  parts: DkgParts,
  context: ShareContext,
  encryptionKey: Uint8Array,
  evaluation: bigint,
): SealedEvaluation & SealingProof {
  const { crypto, bls, random } = parts;
  const r = randomScalar(random);
  const ephemeral = bls.publicKey(encodeScalar(r));
  const shared = sharedPoint(encryptionKey, r);
  const share = xor(encodeScalar(evaluation), mask(crypto, context, ephemeral, shared));
  return {
    ephemeral,
    share,
    ...proveSealing(parts, { context, encryptionKey, ephemeral, share }, r),
  };
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

/** Decrypts an evaluation. @param shared D, 48 bytes @returns undefined for content not below the group order */
export function unmaskEvaluation(
  crypto: Sha256,
  context: ShareContext,
  { ephemeral, share }: SealedEvaluation,
  shared: Uint8Array,
): bigint | undefined {
  return decodeEvaluation(xor(share, mask(crypto, context, ephemeral, shared)));
}

function mask(crypto: Sha256, context: ShareContext, ephemeral: Uint8Array, shared: Uint8Array): Uint8Array {
  return crypto.sha256(Buffer.concat([MASK, encodeShareContext(context), ephemeral, shared]));
}

function xor(bytes: Uint8Array, by: Uint8Array): Uint8Array {
  return bytes.map((byte, at) => byte ^ (by[at] ?? 0));
}
