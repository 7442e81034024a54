import type { Bls } from '../../crypto/crypto.js';
import { decodeScalar } from '../../crypto/scalars/scalars.js';
import type { Dealing } from '../../generated/ledger.js';
import { checkCommitments, checkReveals } from './check-dealing-points.js';
import { refusal, type ValidatorRefusal } from './refusal.js';

/** What a player was dealt. */
export interface DealtEvaluation {
  readonly commitments: Dealing['commitments'];
  /** From 0. */
  readonly player: number;
  /** 32 bytes, secret. */
  readonly share: Uint8Array;
}

/**
 * Whether a player's evaluation is what a dealer committed to, all of it checked. Milliseconds: task `check_evaluation`
 * does it in a worker.
 * @returns why it is refused, or undefined
 */
export function checkEvaluation(
  bls: Pick<Bls, 'publicKey' | 'isPublicKey'>,
  { commitments, player, share }: DealtEvaluation,
): ValidatorRefusal | undefined {
  if (decodeScalar(share) === undefined) {
    return refusal('evaluation', `the evaluation of player ${player} is no number of the field`);
  }
  return (
    checkCommitments(bls, commitments) ?? checkReveals(bls, { commitments, reveals: [{ player, share }] })
  );
}
