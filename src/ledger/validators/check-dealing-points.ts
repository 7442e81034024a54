import type { Bls, Crypto } from '../../crypto/crypto.js';
import { decodeChecked, encodePoints, evaluateFor } from '../../crypto/dkg/commitments.js';
import type { Dealing } from '../../generated/ledger.js';
import { checkDealingForm, checkDealingSignatures, type DealingContext } from './check-dealing.js';
import { refusal, type ValidatorRefusal } from './refusal.js';

/**
 * All rules of a dealing:
 *
 * 1. It is of the block's epoch, by a validator of the epoch.
 * 2. It commits to a polynomial of degree q − 1, q the next set's quorum, whose constant is the dealer's share public key.
 * 3. Every player of the next set acknowledged, or is revealed: at most f of them. Both ascend by player.
 * 4. The dealer signed it, and the players their acknowledgements of these commitments.
 * 5. All points are canonical, in the subgroup and not infinity.
 * 6. Revealed evaluations are what was committed to.
 *
 * The same for everybody, and never throws for whatever decodes as a dealing. Rules 5 and 6 take milliseconds
 * (bench/dkg.bench.ts): task `check_dealing` does this in a worker.
 * @returns why it is refused, or undefined
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
    checkReveals(bls, dealing)
  );
}

/** What the rules of validators are checked with. */
export interface ValidatorCrypto {
  readonly crypto: Pick<Crypto, 'sha256'> & { readonly ed25519: Pick<Crypto['ed25519'], 'verify'> };
  readonly bls: Pick<Bls, 'publicKey' | 'isPublicKey'>;
}

/** Rule 5. */
export function checkCommitments(
  bls: Pick<Bls, 'isPublicKey'>,
  commitments: readonly Uint8Array[],
): ValidatorRefusal | undefined {
  const place = commitments.findIndex((point) => !bls.isPublicKey(point));
  return place < 0 ? undefined : refusal('point', `commitment ${place} is no point that a dealer may name`);
}

/**
 * Rule 6.
 * @param dealing its points have passed {@link checkCommitments}, its evaluations are from 1 to the group order minus 1
 */
export function checkReveals(
  bls: Pick<Bls, 'publicKey'>,
  { commitments, reveals }: Pick<Dealing, 'commitments' | 'reveals'>,
): ValidatorRefusal | undefined {
  if (reveals.length === 0) return undefined;
  const points = decodeChecked(commitments);
  const expected = encodePoints(reveals.map(({ player }) => evaluateFor(points, player)));
  for (const [place, { player, share }] of reveals.entries()) {
    if (Buffer.compare(bls.publicKey(share), expected[place] ?? new Uint8Array(0)) !== 0) {
      return refusal('evaluation', `the evaluation of player ${player} is not what was committed to`);
    }
  }
  return undefined;
}
