import {
  type CommitmentPoint,
  combine,
  decodeChecked,
  encodePoints,
  evaluateFor,
} from '../../crypto/dkg/commitments.js';
import { weightsAtZero } from '../../crypto/scalars/lagrange.js';
import type { Dealing, ValidatorSet } from '../../generated/ledger.js';
import type { Member } from './members.js';
import { quorumOf } from './quorum.js';

/** The part of a dealing that determines the new shares. */
export type DealtCommitments = Pick<Dealing, 'dealer' | 'commitments'>;

export interface NextSet {
  readonly set: ValidatorSet;
  /** False if there were too few dealings: members, quorum and shares stay the same, and changes stay pending. */
  readonly reshared: boolean;
}

/**
 * The validator set of the next epoch. The first dealings up to a quorum of the current set determine the shares,
 * never the group key. With fewer, members, quorum and shares stay the same. Deterministic. Takes milliseconds to
 * seconds (bench/dkg.bench.ts), in task `next_set`, once a quorum of dealings is in the chain.
 * @param members of the next set, in the order used by all the dealings
 * @param dealings valid dealings of this epoch, in block order
 */
export function nextSet(
  present: ValidatorSet,
  members: readonly Member[],
  dealings: readonly DealtCommitments[],
): NextSet {
  const epoch = present.epoch + 1n;
  const used = dealings.slice(0, present.quorum);
  // A single validator deals nothing, because it has no peer to share with.
  if (used.length < present.quorum) return { set: { ...present, epoch }, reshared: false };
  const weights = weightsAtZero(used.map(({ dealer }) => dealer));
  const combined = combine(
    used.map(({ commitments }) => decodeChecked(commitments)),
    weights,
  );
  const keys = sharePublicKeys(combined, members.length);
  if (keys === undefined) return { set: { ...present, epoch }, reshared: false };
  const validators = members.map(({ address, identity_key }, index) => ({
    index,
    address,
    identity_key,
    share_public_key: keys[index] ?? new Uint8Array(0),
  }));
  const quorum = quorumOf(members.length);
  return { set: { epoch, quorum, group_public_key: present.group_public_key, validators }, reshared: true };
}

/** Public keys of all shares, 48 bytes each; undefined if a share is 0, which no dealer can cause. */
export function sharePublicKeys(
  commitments: readonly CommitmentPoint[],
  players: number,
): Uint8Array[] | undefined {
  const points = Array.from({ length: players }, (_, player) => evaluateFor(commitments, player));
  return points.some((point) => point.is0()) ? undefined : encodePoints(points);
}
