import type { BlsKeyCheck, BlsKeys, Sha256 } from '../../crypto/crypto.js';
import { type CommitmentPoint, combine, decodeChecked, evaluateFor } from '../../crypto/dkg/commitments.js';
import { isDecryptionProof, isGarbage } from '../../crypto/dkg/complaint.js';
import type { ShareContext } from '../../crypto/dkg/share-context.js';
import { decodeEvaluation, encodeScalar, GROUP_ORDER } from '../../crypto/scalars/scalars.js';
import type { Complaint, SealedShare } from '../../generated/ledger.js';
import type { CeremonyConfiguration, CeremonyFault } from '../../generated/mesh.js';
import { fault } from './failure.js';

/** The players that asked each dealer for their evaluation, ascending; dealers that nobody asked are left out. */
export function askedDealers(
  responses: ReadonlyMap<number, readonly number[]>,
): Map<number, readonly number[]> {
  const asked = new Map<number, number[]>();
  for (const [player, dealers] of [...responses].sort(([a], [b]) => a - b)) {
    for (const dealer of dealers) asked.set(dealer, [...(asked.get(dealer) ?? []), player]);
  }
  return asked;
}

/** Binds a sealed share to its dealing in the ceremony, epoch 0. */
export function ceremonyContext(
  { chain_id }: Pick<CeremonyConfiguration, 'chain_id'>,
  dealer: number,
  player: number,
): ShareContext {
  return { chainId: chain_id, epoch: 0n, dealer, player };
}

/**
 * Whose fault a complaint shows: the dealer's if the decrypted evaluation is wrong, the player's if not, or if the
 * complaint's proof is invalid.
 * @param commitments the dealer's, with validated points
 */
export function judgeComplaint(
  parts: {
    readonly crypto: Sha256;
    readonly bls: BlsKeys & BlsKeyCheck;
    readonly configuration: CeremonyConfiguration;
  },
  { dealer, player, shared, challenge, response }: Complaint,
  commitments: readonly Uint8Array[],
  sealed: SealedShare | undefined,
): CeremonyFault {
  const { configuration } = parts;
  const key = configuration.validators[player]?.encryption_key;
  if (sealed === undefined || key === undefined) return fault('false_complaint', [player]);
  const context = ceremonyContext(configuration, dealer, player);
  const proof = { shared, challenge, response };
  const isProven = isDecryptionProof(parts, context, key, sealed.ephemeral, proof);
  return isProven && isGarbage(parts, context, decodeChecked(commitments), sealed, shared)
    ? fault('garbage', [dealer])
    : fault('false_complaint', [player]);
}

/**
 * Participants whose share public key would be infinity. Only who knows a share can arrange for that, so they, or with
 * all of them together a dealer, are at fault.
 * @param dealings commitments by dealer, with validated points
 */
export function withoutKey(dealings: readonly (readonly Uint8Array[])[]): number[] {
  const points: CommitmentPoint[] = combine(
    dealings.map((commitments) => decodeChecked(commitments)),
    dealings.map(() => 1n),
  );
  return [...dealings.keys()].filter((player) => evaluateFor(points, player).is0());
}

/**
 * A player's share: the sum of the evaluations of all dealers.
 * @returns 32 bytes, or undefined if an evaluation is not below the group order or the sum is 0
 */
export function shareOf(evaluations: Iterable<Uint8Array>): Uint8Array | undefined {
  let sum = 0n;
  for (const evaluation of evaluations) {
    const value = decodeEvaluation(evaluation);
    if (value === undefined) return undefined;
    sum = (sum + value) % GROUP_ORDER;
  }
  return sum === 0n ? undefined : encodeScalar(sum);
}
