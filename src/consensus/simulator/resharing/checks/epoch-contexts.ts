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

/** Sets and next members of the epochs, once these are settled. */
export class EpochContexts {
  readonly #blocks: FinalBlocks;
  readonly #epochLength: number;
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #known = new Map<bigint, EpochContext>();

  /** @param numbers numbers of all validators in the run by identity */
  constructor(blocks: FinalBlocks, epochLength: number, numbers: ReadonlyMap<string, number>) {
    this.#blocks = blocks;
    this.#epochLength = epochLength;
    this.#numbers = numbers;
  }

  /** Undefined before the last block with changes is final. */
  of(epoch: bigint): EpochContext | undefined {
    const known = this.#known.get(epoch);
    if (known !== undefined) return known;
    const { begin } = windowOf(this.#epochLength);
    const height = epoch * BigInt(this.#epochLength) + BigInt(begin);
    if (epoch < 0n || height > this.#blocks.height) return undefined;
    const state = this.#blocks.at(height);
    const nextPlayers = membersAfter(RESHARING_CRYPTO, state);
    const currentSet = state.validators;
    const context = {
      chainId: CHAIN_ID,
      epoch,
      currentSet,
      nextPlayers,
      dealers: currentSet.validators.map((one) => this.#numberOf(one.identity_key)),
      players: nextPlayers.map((one) => this.#numberOf(one.identity_key)),
    };
    this.#known.set(epoch, context);
    return context;
  }

  #numberOf(identityKey: Uint8Array): number {
    return this.#numbers.get(toHex(identityKey)) ?? -1;
  }
}
