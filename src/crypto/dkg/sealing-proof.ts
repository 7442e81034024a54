/**
 * Proofs that the dealer of a sealed share knows r, where E = r·G1 (Schnorr, "Efficient Signature Generation by Smart
 * Cards", 1991, made non-interactive by Fiat–Shamir). Such a dealer knows D = r·X too, so a complaint about the share,
 * which publishes D, tells nobody anything new. Without the proof, a dealer could take the E of another dealer's share, and
 * the complaint would open that one.
 *
 * With A = k·G1 for a random scalar k: challenge = sha256("heddle/sealed-share/1" ‖ context ‖ X ‖ E ‖ share ‖ A) as a
 * big-endian integer modulo the group order, response = k + challenge · r. Checking takes milliseconds a share
 * (bench/dkg.bench.ts), so it must not run on the main thread.
 */
import { bls12_381 } from '@noble/curves/bls12-381.js';
import type { Sha256 } from '../crypto.js';
import {
  decodeEvaluation,
  encodeScalar,
  GROUP_ORDER,
  randomScalar,
  reduceToScalar,
} from '../scalars/scalars.js';
import { decodeChecked, encodePoints } from './commitments.js';
import { type DkgParts, encodeShareContext, type ShareContext } from './share-context.js';

const { Point } = bls12_381.G1;
const SEALED_SHARE = new TextEncoder().encode('heddle/sealed-share/1');

export interface SealingStatement {
  readonly context: ShareContext;
  /** The player's X, 48 bytes. */
  readonly encryptionKey: Uint8Array;
  /** E, 48 bytes; `Bls.isPublicKey` must accept it. */
  readonly ephemeral: Uint8Array;
  /** The masked evaluation, 32 bytes. */
  readonly share: Uint8Array;
}

/** Both are 32 bytes, big-endian, below the group order. */
export interface SealingProof {
  readonly challenge: Uint8Array;
  readonly response: Uint8Array;
}

/**
 * Proves the knowledge of r.
 * @param random must not repeat bytes for another statement: two responses with one k reveal r
 */
export function proveSealing(
  { crypto, bls, random }: DkgParts,
  statement: SealingStatement,
  r: bigint,
): SealingProof {
  const k = randomScalar(random);
  const challenge = challengeOf(crypto, statement, bls.publicKey(encodeScalar(k)));
  return {
    challenge: encodeScalar(challenge),
    response: encodeScalar((k + challenge * r) % GROUP_ORDER),
  };
}

/** Whether each proof holds. Deterministic; never throws. Many together cost less, because they share an inversion. */
export function areSealingProofs(
  crypto: Sha256,
  proofs: readonly (SealingStatement & SealingProof)[],
): boolean[] {
  const bases = decodeChecked(proofs.map(({ ephemeral }) => ephemeral));
  const challenges = proofs.map(({ challenge }) => decodeEvaluation(challenge));
  const commitments = encodePoints(
    proofs.map(({ response }, at) => {
      const [base = Point.ZERO, c = 0n, z = 0n] = [bases[at], challenges[at], decodeEvaluation(response)];
      // A = z·G1 − c·E.
      return Point.BASE.multiplyUnsafe(z).subtract(base.multiplyUnsafe(c));
    }),
  );
  return proofs.map((proof, at) => {
    const isScalar = decodeEvaluation(proof.response) !== undefined;
    return isScalar && challengeOf(crypto, proof, commitments[at] ?? new Uint8Array(48)) === challenges[at];
  });
}

/** @param commitment A, 48 bytes */
function challengeOf(
  crypto: Sha256,
  { context, encryptionKey, ephemeral, share }: SealingStatement,
  commitment: Uint8Array,
): bigint {
  const parts = [SEALED_SHARE, encodeShareContext(context), encryptionKey, ephemeral, share, commitment];
  return reduceToScalar(crypto.sha256(Buffer.concat(parts)));
}
