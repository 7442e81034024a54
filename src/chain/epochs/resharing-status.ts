import { sameBytes } from '../../base/same-bytes.js';
import type { Dealing, ValidatorSet } from '../../generated/ledger.js';
import type { DkgState, DkgStatus } from '../../generated/node-rpc-v1.js';
import { isDealingHeight } from '../../ledger/validators/epochs.js';
import type { Chain } from '../chain.js';

/**
 * Status of handing the group key to the next epoch's validators, derived from blocks alone, so all nodes agree on
 * it.
 *
 * - `dealing`: the epoch is in its second half, with too few dealings in blocks so far;
 * - `ready`: there are enough dealings, or there is only one validator, which does not reshare;
 * - `failed`: the last epoch ended with too few dealings, so the set and shares did not change;
 * - `idle`: the epoch is in its first half.
 *
 * A complaint is an evaluation that a dealing reveals because its player did not acknowledge it.
 */
export function resharingStatus(chain: Pick<Chain, 'tip' | 'validatorsAt'>): DkgStatus {
  const { header, epochs } = chain.tip;
  const { validators: set, dealings, parameters } = epochs;
  const { length: count } = set.validators;
  if (count === 1) return { ...statusOf(set, { type: 'ready' }, []), dealings_received: 1 };
  if (dealings.length >= set.quorum) return statusOf(set, { type: 'ready' }, dealings);
  if (isDealingHeight(header.height + 1n, parameters.epoch_length)) {
    return statusOf(set, { type: 'dealing' }, dealings);
  }
  const before = set.epoch === 0n ? undefined : chain.validatorsAt(set.epoch - 1n);
  if (before === undefined || !sameShares(before, set)) return statusOf(set, { type: 'idle' }, []);
  const value = `epoch ${before.epoch} had fewer than ${before.quorum} dealings: its validators and shares stay, changes wait`;
  return statusOf(set, { type: 'failed', value }, []);
}

function statusOf(
  { epoch, validators }: ValidatorSet,
  state: DkgState,
  dealings: readonly Dealing[],
): DkgStatus {
  return {
    state,
    epoch,
    dealers_expected: validators.length,
    dealings_received: dealings.length,
    complaints: dealings.reduce((sum, { reveals }) => sum + reveals.length, 0),
  };
}

/** True if two sets have the same shares; a resharing always changes the share public keys. */
export function sameShares(before: ValidatorSet, after: ValidatorSet): boolean {
  return (
    before.validators.length === after.validators.length &&
    before.validators.every(({ share_public_key: key }, place) => {
      const other = after.validators[place]?.share_public_key;
      return sameBytes(key, other);
    })
  );
}
