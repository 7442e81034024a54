import type { CommittedChain } from '../../chain/committed-chain.js';
import type { TipOpenings } from '../../chain/tip-openings.js';
import type { ValidatorSet } from '../../generated/ledger.js';
import type { GetEpochKeyResult } from '../../generated/node-rpc-v1.js';
import { MAX_SLOTS } from '../../ledger/constants.js';
import { nextSlotPrice } from '../../ledger/opening-slots.js';
import { lastHeight } from '../../ledger/validators/epochs.js';
import { RpcError } from '../errors.js';
import type { MethodHandlers } from '../handlers.js';

/** Boneh–Franklin encryption to a height under the group key, with the Fujisaki–Okamoto transform. */
const SCHEME = 'bls12381-ibe-1';

/** Minimum distance of `opens_at` from the next height: room for the transaction's own block and one lost block. */
const MIN_OPENS_AHEAD = 2n;

const LISTED_HEIGHTS = 64;

export interface EpochSources {
  readonly chain: Pick<CommittedChain, 'tip' | 'firstHeight' | 'validatorsAt'>;
  readonly openings: Pick<TipOpenings, 'reservedAt'>;
}

export function epochHandlers(sources: EpochSources) {
  return { get_epoch_key: ({ epoch }) => epochKey(sources, epoch) } satisfies Partial<MethodHandlers>;
}

function epochKey({ chain, openings }: EpochSources, asked: bigint | undefined): GetEpochKeyResult {
  const { header, epochs, slots } = chain.tip;
  const epoch = asked ?? epochs.validators.epoch;
  const { quorum, group_public_key: publicKey } = expectValidators(chain, epoch);
  const { epoch_length: length } = epochs.parameters;
  const nextOpenHeight = header.height + 1n + MIN_OPENS_AHEAD;
  return {
    epoch,
    scheme: SCHEME,
    public_key: publicKey,
    quorum,
    first_height: epoch * length + 1n,
    last_height: lastHeight(epoch, length),
    next_open_height: nextOpenHeight,
    slot_price: nextSlotPrice(header, slots),
    free_slots: Array.from(
      { length: LISTED_HEIGHTS },
      (_, ahead) => MAX_SLOTS - openings.reservedAt(nextOpenHeight + BigInt(ahead)),
    ),
  };
}

/** @throws RpcError `not_found` for a future epoch; `state_unavailable` for one before the node's snapshot */
export function expectValidators(chain: EpochSources['chain'], epoch: bigint): ValidatorSet {
  const { tip, firstHeight } = chain;
  const { validators } = tip.epochs;
  const { epoch: newest } = validators;
  if (epoch === newest) return validators;
  if (epoch > newest) {
    throw new RpcError('not_found', `there is no epoch ${epoch} yet; the newest is ${newest}`, {
      epoch,
      newest,
    });
  }
  const set = chain.validatorsAt(epoch);
  if (set !== undefined) return set;
  const message = `the validators of epoch ${epoch} are not on this node, which started from a snapshot`;
  throw new RpcError('state_unavailable', message, { oldest: firstHeight, newest: tip.header.height });
}
