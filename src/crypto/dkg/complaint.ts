/**
 * Proofs that a published point D is the decryption key of a sealed share: log_G1 X = log_E D (Chaum and Pedersen,
 * "Wallet Databases with Observers", CRYPTO 1992, made non-interactive by Fiat–Shamir). Everybody can then decrypt that
 * share and see whether it matches the dealer's commitments.
 *
 * With A = k·G1 and B = k·E for a random scalar k: challenge = sha256("heddle/complaint/1" ‖ context ‖ X ‖ E ‖ D ‖ A
 * ‖ B) as a big-endian integer modulo the group order, response = k + challenge · x. Takes milliseconds, so it must not
 * run on the main thread.
 */

import { bls12_381 } from '@noble/curves/bls12-381.js';
import { sameBytes } from '../../base/same-bytes.js';
import type { BlsKeyCheck, BlsKeys, Sha256 } from '../crypto.js';
import {
  decodeEvaluation,
  encodeScalar,
  GROUP_ORDER,
  randomScalar,
  reduceToScalar,
} from '../scalars/scalars.js';
import { type CommitmentPoint, decodeChecked, evaluateFor } from './commitments.js';
import { type SealedEvaluation, sharedPoint, unmaskEvaluation } from './sealed-share.js';
import type { SealingProof } from './sealing-proof.js';
import { type DkgParts, encodeShareContext, type ShareContext } from './share-context.js';

const { Point } = bls12_381.G1;
const COMPLAINT = new TextEncoder().encode('heddle/complaint/1');

/** A published decryption key with its proof. */
export interface DecryptionProof extends SealingProof {
  /** D, 48 bytes. */
  readonly shared: Uint8Array;
}

/**
 * Publishes the decryption key of one sealed share.
 * @param privateKey the player's x
 * @param ephemeral the share's E, 48 bytes; `Bls.isPublicKey` must accept it
 */
export function proveDecryption(
  { crypto, bls, random }: DkgParts,
  context: ShareContext,
  privateKey: bigint,
  ephemeral: Uint8Array,
): DecryptionProof {
  const nonce = randomScalar(random);
  const shared = sharedPoint(ephemeral, privateKey);
  const challenge = challengeOf(crypto, context, {
    encryptionKey: bls.publicKey(encodeScalar(privateKey)),
    ephemeral,
    shared,
    first: bls.publicKey(encodeScalar(nonce)),
    second: sharedPoint(ephemeral, nonce),
  });
  const response = (nonce + challenge * privateKey) % GROUP_ORDER;
  return { shared, challenge: encodeScalar(challenge), response: encodeScalar(response) };
}

/**
 * Whether a proof shows the decryption key of a sealed share. Deterministic; never throws.
 * @param encryptionKey the player's X, 48 bytes; `Bls.isPublicKey` must accept it
 * @param ephemeral the share's E, as above
 */
export function isDecryptionProof(
  { crypto, bls }: { readonly crypto: Sha256; readonly bls: BlsKeyCheck },
  context: ShareContext,
  encryptionKey: Uint8Array,
  ephemeral: Uint8Array,
  { shared, challenge, response }: DecryptionProof,
): boolean {
  const c = decodeEvaluation(challenge);
  const z = decodeEvaluation(response);
  if (c === undefined || z === undefined || !bls.isPublicKey(shared)) return false;
  const [key = Point.ZERO, base = Point.ZERO, point = Point.ZERO] = decodeChecked([
    encryptionKey,
    ephemeral,
    shared,
  ]);
  // A = z·G1 − c·X and B = z·E − c·D.
  const first = Point.BASE.multiplyUnsafe(z).subtract(key.multiplyUnsafe(c));
  const second = base.multiplyUnsafe(z).subtract(point.multiplyUnsafe(c));
  const commitments = { first: first.toBytes(true), second: second.toBytes(true) };
  return challengeOf(crypto, context, { encryptionKey, ephemeral, shared, ...commitments }) === c;
}

/** Whether an evaluation is the committed polynomial's value for a player. @param evaluation below the group order */
export function matchesCommitments(
  bls: BlsKeys,
  commitments: readonly CommitmentPoint[],
  player: number,
  evaluation: bigint,
): boolean {
  const expected = evaluateFor(commitments, player);
  if (evaluation === 0n) return expected.is0();
  return !expected.is0() && sameBytes(bls.publicKey(encodeScalar(evaluation)), expected.toBytes(true));
}

/** Whether a published key, checked by {@link isDecryptionProof}, shows that a dealer sealed garbage to a player. */
export function isGarbage(
  { crypto, bls }: { readonly crypto: Sha256; readonly bls: BlsKeys },
  context: ShareContext,
  commitments: readonly CommitmentPoint[],
  sealed: SealedEvaluation,
  shared: Uint8Array,
): boolean {
  const evaluation = unmaskEvaluation(crypto, context, sealed, shared);
  return evaluation === undefined || !matchesCommitments(bls, commitments, context.player, evaluation);
}

interface Transcript {
  readonly encryptionKey: Uint8Array;
  readonly ephemeral: Uint8Array;
  readonly shared: Uint8Array;
  readonly first: Uint8Array;
  readonly second: Uint8Array;
}

function challengeOf(
  crypto: Sha256,
  context: ShareContext,
  { encryptionKey, ephemeral, shared, first, second }: Transcript,
): bigint {
  const parts = [COMPLAINT, encodeShareContext(context), encryptionKey, ephemeral, shared, first, second];
  return reduceToScalar(crypto.sha256(Buffer.concat(parts)));
}
