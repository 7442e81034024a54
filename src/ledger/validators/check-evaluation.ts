import type { BlsKeyCheck, BlsKeys } from '../../crypto/crypto.js';
import { decodeChecked } from '../../crypto/dkg/commitments.js';
import { matchesCommitments } from '../../crypto/dkg/complaint.js';
import { decodeScalar } from '../../crypto/scalars/scalars.js';
import type { Dealing } from '../../generated/ledger.js';
import { checkCommitments } from './check-dealing-points.js';
import { refusal, type ValidatorRefusal } from './refusal.js';

/** A share dealt to a player. */
export interface DealtEvaluation {
  readonly commitments: Dealing['commitments'];
  /** Index of the player, from 0. */
  readonly player: number;
  /** 32 bytes, secret. */
  readonly share: Uint8Array;
}

/** Checks a dealer's commitments, and an evaluation against them. Slow: task `check_evaluation`. */
export function checkEvaluation(
  bls: BlsKeys & BlsKeyCheck,
  { commitments, player, share }: DealtEvaluation,
): ValidatorRefusal | undefined {
  const value = decodeScalar(share);
  if (value === undefined) {
    return refusal('evaluation', `the evaluation of player ${player} is not a field element`);
  }
  const wrong = checkCommitments(bls, commitments);
  if (wrong !== undefined) return wrong;
  return matchesCommitments(bls, decodeChecked(commitments), player, value)
    ? undefined
    : refusal('evaluation', `the evaluation of player ${player} does not match the commitments`);
}
