import type { Bls, Crypto } from '../../crypto/crypto.js';
import type { Dealing } from '../../generated/ledger.js';
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
 *
 * Only its player can tell whether a sealed share is good, and complains if it is not (check-complaint-points.ts).
 * Ephemerals may repeat those of other dealings: if that were refused, a faulty dealer could copy an honest one's and
 * keep its dealing out.
 *
 * Deterministic, and never throws for anything that decodes as a dealing. Rule 5 takes milliseconds
 * (bench/dkg.bench.ts), so task `check_dealing` runs this in a worker.
 * @returns the refusal, or undefined if the dealing is valid
 */
export function checkDealing(
  { crypto, bls }: ValidatorCrypto,
  dealing: Dealing,
  context: DealingContext,
): ValidatorRefusal | undefined {
  return (
    checkDealingForm(dealing, context) ??
    checkDealingSignatures(crypto, dealing, context) ??
    checkCommitments(bls, dealing.commitments) ??
    checkEncryption(bls, dealing)
  );
}

/** Crypto functions for the validator rules. */
export interface ValidatorCrypto {
  readonly crypto: Pick<Crypto, 'sha256'> & { readonly ed25519: Pick<Crypto['ed25519'], 'verify'> };
  readonly bls: Pick<Bls, 'publicKey' | 'isPublicKey'>;
}

/** Checks rule 5 for the points that serve encryption. */
function checkEncryption(
  bls: Pick<Bls, 'isPublicKey'>,
  { sealed, encryption_key: key }: Dealing,
): ValidatorRefusal | undefined {
  if (!bls.isPublicKey(key)) return refusal('point', 'the encryption key is not a valid point');
  const wrong = sealed.find(({ ephemeral }) => !bls.isPublicKey(ephemeral));
  return wrong && refusal('point', `the ephemeral for player ${wrong.player} is not a valid point`);
}

/** Checks rule 5 for the commitments. */
export function checkCommitments(
  bls: Pick<Bls, 'isPublicKey'>,
  commitments: readonly Uint8Array[],
): ValidatorRefusal | undefined {
  const place = commitments.findIndex((point) => !bls.isPublicKey(point));
  return place < 0 ? undefined : refusal('point', `commitment ${place} is not a valid point`);
}
