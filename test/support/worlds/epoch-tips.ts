import type { CommittedTip } from '../../../src/chain/chain.js';
import type { EpochState } from '../../../src/chain/epochs/epoch-state.js';
import type { ApprovedChange, Dealing, ValidatorSet } from '../../../src/generated/ledger.js';
import { quorumOf } from '../../../src/ledger/validators/quorum.js';
import { digest, GROUP_PUBLIC_KEY, hashOf, headerWith } from '../../proofs/verify/proved-world.js';

/** A validator set of an epoch; `shares` distinguishes the share keys of different resharings. */
export function setOf(epoch: bigint, count: number, shares = 0): ValidatorSet {
  return {
    epoch,
    quorum: quorumOf(count),
    group_public_key: GROUP_PUBLIC_KEY,
    validators: Array.from({ length: count }, (_, index) => ({
      index,
      address: digest(index).slice(0, 20),
      identity_key: digest(100 + index),
      share_public_key: digest(1_000 * shares + index),
    })),
  };
}

/** A chain that knows the given validator sets; the last one is the tip's. */
export function tipAt(
  height: bigint,
  sets: readonly ValidatorSet[],
  {
    epochLength = 10n,
    dealings = 0,
    complaints = 0,
    firstHeight = 0n,
    changes = [] as readonly ApprovedChange[],
  } = {},
): {
  readonly tip: CommittedTip;
  readonly finalizedHeight: bigint;
  readonly firstHeight: bigint;
  validatorsAt(epoch: bigint): ValidatorSet | undefined;
} {
  const validators = sets.at(-1);
  if (validators === undefined) throw new Error('expected a set at least');
  const header = headerWith({ height, epoch: validators.epoch });
  const dealing = (dealer: number): Dealing => ({
    epoch: validators.epoch,
    dealer,
    commitments: [],
    acks: [],
    encryption_key: new Uint8Array(48),
    sealed: [],
    signature: new Uint8Array(64),
  });
  const epochs: EpochState = {
    parameters: { epoch_length: epochLength, ceremony: true },
    validators,
    encryptionKeys: [],
    changes,
    dealings: Array.from({ length: dealings }, (_, dealer) => dealing(dealer)),
    complaints: Array.from({ length: complaints }, (_, dealer) => ({
      epoch: validators.epoch,
      dealer,
      player: 0,
      shared: new Uint8Array(48),
      challenge: digest(0),
      response: digest(0),
    })),
    entries: new Map(),
  };
  return {
    tip: { header, hash: hashOf(header), epochs, slots: 0 },
    finalizedHeight: height,
    firstHeight,
    validatorsAt: (epoch) => sets.find((set) => set.epoch === epoch),
  };
}
