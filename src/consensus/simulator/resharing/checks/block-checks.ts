import { sameBytes } from '../../../../base/same-bytes.js';
import { weightsAtZero } from '../../../../crypto/scalars/lagrange.js';
import { modOrder, weightedSum } from '../../../../crypto/scalars/scalars.js';
import type { Dealing, ValidatorSet } from '../../../../generated/ledger.js';
import { toHex } from '../../../../idl/hex.js';
import { quorumOf } from '../../../../ledger/validators/quorum.js';
import { CURVE_TASKS, isEvaluation, pointOf, scalarOf, unsealed } from '../cheap-curve.js';
import type { FinalBlock } from '../final-blocks.js';
import type { ResharingWorld } from '../resharing-scenario.js';
import { type EpochContext, type EpochContexts, windowOf } from './epoch-contexts.js';

export interface EndedEpoch {
  readonly context: EpochContext;
  /** The dealings that make the next shares, in their order; none if the key was not reshared. */
  readonly used: readonly Dealing[];
  readonly set: ValidatorSet;
}

/** Checks each final block: its items, and at the end of an epoch the next set. */
export class BlockChecks {
  readonly #world: ResharingWorld;
  readonly #contexts: EpochContexts;
  /** Of the present epoch, in block order. */
  #dealings: Dealing[] = [];
  readonly #disputed = new Set<number>();
  /** The validator that sealed under an ephemeral point or under half of it, by point. */
  readonly #sealers = new Map<string, number | undefined>();
  readonly #ended = new Map<bigint, EndedEpoch>();
  /** Number of epochs that ended with new shares. */
  reshared = 0;

  constructor(world: ResharingWorld, contexts: EpochContexts) {
    this.#world = world;
    this.#contexts = contexts;
  }

  ended(epoch: bigint): EndedEpoch | undefined {
    return this.#ended.get(epoch);
  }

  /** Checks a block. @returns the epoch that it ends, if any */
  onBlock({ height, items, epochs }: FinalBlock): EndedEpoch | undefined {
    const { epochLength } = this.#world.scenario;
    const position = Number((height - 1n) % BigInt(epochLength));
    const epoch = (height - 1n) / BigInt(epochLength);
    const { begin, end } = windowOf(epochLength);
    if (items.changes.length > 0 && position >= begin)
      this.#fail('a change after the first third of its epoch');
    if (items.dealings.length > 0 && (position < begin || position >= end))
      this.#fail('a dealing outside of the window is in a block');
    const context = this.#contexts(epoch);
    if (context === undefined) return undefined;
    for (const dealing of items.dealings) this.#dealing(dealing, context);
    for (const { dealer, player } of items.complaints) this.#complaint(dealer, player, context);
    return position === epochLength - 1 ? this.#end(context, epochs.validators) : undefined;
  }

  #dealing(dealing: Dealing, context: EpochContext): void {
    const { dealer } = dealing;
    if (this.#dealings.some((one) => one.dealer === dealer)) this.#fail('a second dealing of a dealer');
    const refused = CURVE_TASKS.check_dealing({ dealing, context });
    if (refused !== undefined) this.#fail(`an invalid dealing is in a block: ${refused.message}`);
    this.#dealings.push(dealing);
    for (const { ephemeral } of dealing.sealed) this.#ephemeral(ephemeral, context.dealers[dealer]);
  }

  /** Nobody else knows the scalar of a dealer's ephemeral point, so no other dealing may have it, or twice it. */
  #ephemeral(ephemeral: Uint8Array, sealer: number | undefined): void {
    const twice = pointOf(modOrder(2n * (scalarOf(ephemeral) ?? 0n)));
    for (const point of [ephemeral, twice].map(toHex)) {
      if (this.#sealers.has(point) && this.#sealers.get(point) !== sealer)
        this.#fail("a dealing seals under another dealer's ephemeral point");
      this.#sealers.set(point, sealer);
    }
  }

  #complaint(dealer: number, player: number, context: EpochContext): void {
    if (this.#disputed.has(dealer)) this.#fail('a second complaint about a dealing');
    this.#disputed.add(dealer);
    const dealing = this.#dealings.find((one) => one.dealer === dealer);
    if (dealing === undefined || !isGarbageTo(dealing, player, context))
      this.#fail('a block has an unfounded complaint');
    if (this.#world.isHonest(context.dealers[dealer] ?? -1))
      this.#fail('a complaint voids an honest dealing');
  }

  #end(context: EpochContext, set: ValidatorSet): EndedEpoch {
    const { currentSet, nextPlayers, epoch } = context;
    const valid = this.#dealings.filter(({ dealer }) => !this.#disputed.has(dealer));
    const used = valid.length < currentSet.quorum ? [] : valid.slice(0, currentSet.quorum);
    this.#dealings = [];
    this.#disputed.clear();
    if (used.length > 0) {
      this.reshared++;
      const isNext =
        set.quorum === quorumOf(nextPlayers.length) &&
        set.validators.length === nextPlayers.length &&
        set.validators.every(({ identity_key: key }, at) => sameBytes(key, nextPlayers[at]?.identity_key));
      if (!isNext) this.#fail('the next set is not the settled one');
      if (set.validators.every(({ share_public_key: key }, at) => isSameKey(currentSet, at, key)))
        this.#fail('a resharing left the shares as they were');
    } else if (set.validators.length !== currentSet.validators.length) {
      this.#fail('the set changes without a resharing');
    }
    if (set.epoch !== epoch + 1n) this.#fail('an epoch is left out');
    this.#key(set, currentSet);
    const ended = { context, used, set };
    this.#ended.set(epoch, ended);
    return ended;
  }

  /** The shares lie on one polynomial of the quorum's degree, with the group's secret at 0. */
  #key({ quorum, validators, group_public_key: group }: ValidatorSet, before: ValidatorSet): void {
    if (!sameBytes(group, before.group_public_key)) this.#fail('the group key changes');
    const secret = scalarOf(group);
    const shares = validators.map(({ share_public_key }) => scalarOf(share_public_key) ?? 0n);
    for (let from = 0; from + quorum <= shares.length; from++) {
      const weights = weightsAtZero(Array.from({ length: quorum }, (_, at) => from + at));
      if (weightedSum(shares.slice(from, from + quorum), weights) !== secret)
        this.#fail('the shares of a set do not combine to the group key');
    }
  }

  #fail(what: string): void {
    this.#world.fail('safety', what);
  }
}

/** Whether a dealing sealed something to a player that it cannot use. */
export function isGarbageTo(dealing: Dealing, player: number, { nextPlayers }: EpochContext): boolean {
  const { epoch, dealer, commitments } = dealing;
  const sealed = dealing.sealed.find((one) => one.player === player);
  const key = scalarOf(nextPlayers[player]?.encryption_key ?? new Uint8Array(0));
  if (sealed === undefined || key === undefined) return false;
  return !isEvaluation(commitments, player, unsealed(key, sealed, { epoch, dealer, player }));
}

function isSameKey({ validators }: ValidatorSet, at: number, key: Uint8Array): boolean {
  return sameBytes(key, validators[at]?.share_public_key);
}
