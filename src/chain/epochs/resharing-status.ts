import { sameBytes } from '../../base/same-bytes.js';
import type { ValidatorSet } from '../../generated/ledger.js';
import type { DkgState, DkgStatus } from '../../generated/node-rpc-v1.js';
import { undisputed } from '../../ledger/validators/check-complaint.js';
import { phaseAt } from '../../ledger/validators/epochs.js';
import type { Chain } from '../chain.js';
import type { EpochState } from './epoch-state.js';

/**
 * Status of handing the group key to the next epoch's validators, derived from blocks alone, so all nodes agree on
 * it. A valid dealing is one that no complaint voids.
 *
 * - `idle`: the epoch is in its first third, which is for changes;
 * - `dealing`: it is in its second third, with too few valid dealings in blocks so far;
 * - `ready`: there are enough valid dealings, or there is only one validator, which does not reshare;
 * - `failed`: the epoch is in its last third with too few valid dealings, or the last epoch ended like that; set and
 *   shares stay, and changes wait.
 */
export function resharingStatus(chain: Pick<Chain, 'tip' | 'validatorsAt'>): DkgStatus {
  const { header, epochs } = chain.tip;
  const { validators: set, dealings, complaints, parameters } = epochs;
  if (set.validators.length === 1) return { ...statusOf(epochs, { type: 'ready' }), dealings_received: 1 };
  const valid = undisputed(dealings, complaints).length;
  if (valid >= set.quorum) return statusOf(epochs, { type: 'ready' });
  const phase = phaseAt(header.height + 1n, parameters.epoch_length);
  if (phase === 'dealings') return statusOf(epochs, { type: 'dealing' });
  if (phase === 'complaints') {
    const voided = complaints.length === 0 ? '' : `, and complaints void ${complaints.length} others`;
    const value = `epoch ${set.epoch} has ${valid} of ${set.quorum} dealings${voided}: its validators and shares stay, changes wait`;
    return statusOf(epochs, { type: 'failed', value });
  }
  const before = set.epoch === 0n ? undefined : chain.validatorsAt(set.epoch - 1n);
  if (before === undefined || !sameShares(before, set)) return statusOf(epochs, { type: 'idle' });
  const value = `epoch ${before.epoch} had fewer than ${before.quorum} valid dealings: its validators and shares stay, changes wait`;
  return statusOf(epochs, { type: 'failed', value });
}

function statusOf({ validators, dealings, complaints }: EpochState, state: DkgState): DkgStatus {
  return {
    state,
    epoch: validators.epoch,
    dealers_expected: validators.validators.length,
    dealings_received: dealings.length,
    complaints: complaints.length,
  };
}

/** True if two sets have the same shares; a resharing always changes the share public keys. */
export function sameShares(before: ValidatorSet, after: ValidatorSet): boolean {
  return (
    before.validators.length === after.validators.length &&
    before.validators.every(({ share_public_key: key }, place) =>
      sameBytes(key, after.validators[place]?.share_public_key),
    )
  );
}
