import { membersAfter } from '../../../../chain/epochs/epoch-rules.js';
import { toHex } from '../../../../idl/hex.js';
import type { DealingContext } from '../../../../ledger/validators/check-dealing.js';
import type { Member } from '../../../../ledger/validators/members.js';
import { CHAIN_ID, type FinalBlocks } from '../final-blocks.js';
import { RESHARING_CRYPTO } from '../sim-identities.js';

export interface EpochContext extends DealingContext {
  readonly nextPlayers: readonly Member[];
  /** The numbers in the run of the dealers and of the players, by index. */
  readonly dealers: readonly number[];
  readonly players: readonly number[];
}

/** Where an epoch's dealings begin and end: positions of its blocks, from 0. Independent of the rules that are checked. */
export function windowOf(epochLength: number): { readonly begin: number; readonly end: number } {
  return { begin: Math.floor(epochLength / 3), end: Math.floor((2 * epochLength) / 3) };
}

/** Set and next members of an epoch; undefined before the last block with changes is final. */
export type EpochContexts = (epoch: bigint) => EpochContext | undefined;

/** @param numbers numbers of all validators in the run by identity */
export function epochContexts(
  blocks: FinalBlocks,
  epochLength: number,
  numbers: ReadonlyMap<string, number>,
): EpochContexts {
  const contexts = new Map<bigint, EpochContext>();
  const numberOf = ({ identity_key: key }: Pick<Member, 'identity_key'>) => numbers.get(toHex(key)) ?? -1;
  return (epoch) => {
    const known = contexts.get(epoch);
    if (known !== undefined) return known;
    const height = epoch * BigInt(epochLength) + BigInt(windowOf(epochLength).begin);
    if (epoch < 0n || height > blocks.height) return undefined;
    const state = blocks.at(height);
    const nextPlayers = membersAfter(RESHARING_CRYPTO, state);
    const currentSet = state.validators;
    const dealers = currentSet.validators.map(numberOf);
    const players = nextPlayers.map(numberOf);
    const context = { chainId: CHAIN_ID, epoch, currentSet, nextPlayers, dealers, players };
    contexts.set(epoch, context);
    return context;
  };
}
