import { sameBytes } from '../../base/same-bytes.js';
import type { BlsKeyCheck } from '../../crypto/crypto.js';
import { combine, decodeChecked, encodePoints } from '../../crypto/dkg/commitments.js';
import { weightsAtZero } from '../../crypto/scalars/lagrange.js';
import type { ValidatorSet } from '../../generated/ledger.js';
import { checkCommitments } from './check-dealing-points.js';
import { refusal, type ValidatorRefusal } from './refusal.js';

/**
 * Checks that a set's share public keys lie on one polynomial of degree quorum − 1 with the group key at 0, so that
 * any quorum can sign under it. Takes milliseconds to seconds (bench/dkg.bench.ts).
 */
export function checkShareKeys(
  bls: BlsKeyCheck,
  { quorum, group_public_key, validators }: ValidatorSet,
): ValidatorRefusal | undefined {
  if (quorum < 1 || quorum > validators.length) {
    return refusal('size', `expected a quorum of 1 to ${validators.length}, got ${quorum}`);
  }
  const keys = validators.map(({ share_public_key }) => share_public_key);
  const wrong = checkCommitments(bls, [group_public_key, ...keys]);
  if (wrong !== undefined) return wrong;
  const points = decodeChecked(keys);
  // Combines each further key with the same quorum − 1 keys. Every combination gives the group key if and only if all
  // keys lie on one polynomial.
  for (let last = quorum - 1; last < points.length; last++) {
    const used = [...points.keys()].filter((index) => index < quorum - 1 || index === last);
    const [key] = encodePoints(
      combine(
        points.filter((_, index) => used.includes(index)).map((point) => [point]),
        weightsAtZero(used),
      ),
    );
    if (!sameBytes(key, group_public_key)) {
      return refusal(
        'constant',
        `the share public keys up to that of validator ${last} do not combine to the group key`,
      );
    }
  }
  return undefined;
}
