import type { BlsKeyCheck, BlsKeys } from '../../crypto/crypto.js';
import {
  areSealingProofs,
  type SealingProof,
  type SealingStatement,
} from '../../crypto/dkg/sealing-proof.js';
import type { Dealing } from '../../generated/ledger.js';
import type { IdentityCrypto } from './check-dealing.js';
import { checkDealingForm, checkDealingSignatures, type DealingContext } from './check-dealing.js';
import { refusal, type ValidatorRefusal } from './refusal.js';

/**
 * Checks all rules of a dealing:
 *
 * 1. It belongs to the block's epoch, and a validator of the epoch made it.
 * 2. It commits to a polynomial of degree q − 1, where q is the quorum of the next set. The constant of the
 *    polynomial is the dealer's share public key.
 * 3. Every player of the next set has either acknowledged it or has a sealed share, and at most f have one.
 *    Acknowledgements and sealed shares each ascend by player.
 * 4. The dealer signed it, and the players signed their acknowledgements of these commitments.
 * 5. All points are canonical, in the subgroup and not infinity: commitments, ephemerals, encryption key.
 * 6. The dealer proves for each sealed share that it knows the ephemeral's scalar, so that a complaint about it opens no
 *    other dealer's share.
 *
 * Only its player can tell whether a sealed share is good, and complains if it is not (check-complaint-points.ts).
 *
 * Deterministic, and never throws for anything that decodes as a dealing. Rules 5 and 6 take milliseconds
 * (bench/dkg.bench.ts), so task `check_dealing` runs this in a worker.
 * @param areProven checks the proofs of rule 6; the simulator has points of its own
 * @returns the refusal, or undefined if the dealing is valid
 */
export function checkDealing(
  { crypto, bls }: ValidatorCrypto,
  dealing: Dealing,
  context: DealingContext,
  areProven = areSealingProofs,
): ValidatorRefusal | undefined {
  return (
    checkDealingForm(dealing, context) ??
    checkDealingSignatures(crypto, dealing, context) ??
    checkCommitments(bls, dealing.commitments) ??
    checkEncryption(bls, dealing) ??
    checkSealing(areProven(crypto, sealingProofs(dealing, context)), dealing)
  );
}

function sealingProofs(
  { epoch, dealer, sealed }: Dealing,
  { chainId, nextPlayers }: DealingContext,
): (SealingStatement & SealingProof)[] {
  return sealed.map(({ player, ...share }) => ({
    ...share,
    context: { chainId, epoch, dealer, player },
    encryptionKey: nextPlayers[player]?.encryption_key ?? new Uint8Array(0),
  }));
}

/** Checks rule 6. */
function checkSealing(areProven: readonly boolean[], { sealed }: Dealing): ValidatorRefusal | undefined {
  const wrong = sealed[areProven.indexOf(false)];
  return (
    wrong &&
    refusal('proof', `the dealer does not prove that it made the ephemeral for player ${wrong.player}`)
  );
}

export interface ValidatorCrypto {
  readonly crypto: IdentityCrypto;
  readonly bls: BlsKeys & BlsKeyCheck;
}

/** Checks rule 5 for the points that serve encryption. */
function checkEncryption(
  bls: BlsKeyCheck,
  { sealed, encryption_key: key }: Dealing,
): ValidatorRefusal | undefined {
  if (!bls.isPublicKey(key)) return refusal('point', 'the encryption key is not a valid point');
  const wrong = sealed.find(({ ephemeral }) => !bls.isPublicKey(ephemeral));
  return wrong && refusal('point', `the ephemeral for player ${wrong.player} is not a valid point`);
}

/** Checks rule 5 for the commitments. */
export function checkCommitments(
  bls: BlsKeyCheck,
  commitments: readonly Uint8Array[],
): ValidatorRefusal | undefined {
  const place = commitments.findIndex((point) => !bls.isPublicKey(point));
  return place < 0 ? undefined : refusal('point', `commitment ${place} is not a valid point`);
}
