import { membersAfter } from '../../../../chain/epochs/epoch-rules.js';
import type { EpochItems, EpochState } from '../../../../chain/epochs/epoch-state.js';
import { encodeScalar, reduceToScalar } from '../../../../crypto/scalars/scalars.js';
import type { Dealing } from '../../../../generated/ledger.js';
import { toHex } from '../../../../idl/hex.js';
import { dealingWindow } from '../../../../ledger/validators/epochs.js';
import type { Member } from '../../../../ledger/validators/members.js';
import { dealingMessage } from '../../../../ledger/validators/signed-messages.js';
import type { Random } from '../../random.js';
import { CHAIN_ID, type FinalBlocks } from '../final-blocks.js';
import type { HostView, ResharingMessage } from '../resharing-model.js';
import type { ResharingWorld } from '../resharing-scenario.js';
import { RESHARING_CRYPTO } from '../sim-identities.js';

/** One way to misbehave. */
export interface ResharingTrait {
  /** Sees a message of the validator's own process. @returns the messages that are sent instead */
  readonly outgoing?: (to: number, message: ResharingMessage) => readonly ResharingMessage[];
  readonly received?: (from: number, message: ResharingMessage) => void;
  /** Called after each block that the validator commits. */
  readonly block?: () => void;
  /** Changes the items that the validator proposes. */
  readonly offered?: (items: EpochItems) => EpochItems;
}

export type ResharingTraitMaker = (actor: ResharingActorRuntime) => ResharingTrait;

export interface ResharingActorParts {
  readonly world: ResharingWorld;
  readonly blocks: FinalBlocks;
  readonly host: HostView;
  /** Numbers of all validators in the run by identity. */
  readonly numbers: ReadonlyMap<string, number>;
}

/** Runs the real resharing of a faulty validator and changes, adds or withholds messages and items. */
export class ResharingActorRuntime {
  readonly host: HostView;
  readonly world: ResharingWorld;
  readonly random: Random;
  readonly #parts: ResharingActorParts;
  readonly #traits: readonly ResharingTrait[];

  constructor(parts: ResharingActorParts, traits: readonly ResharingTraitMaker[]) {
    this.#parts = parts;
    this.host = parts.host;
    this.world = parts.world;
    this.random = parts.world.random;
    this.#traits = traits.map((make) => make(this));
  }

  /** The state after the validator's last block. */
  get state(): EpochState {
    return this.#parts.blocks.at(this.host.height);
  }

  get epoch(): bigint {
    return this.state.validators.epoch;
  }

  get players(): readonly Member[] {
    return membersAfter(RESHARING_CRYPTO, this.state);
  }

  /** Its index in the present set, or -1. */
  get dealer(): number {
    return this.indexIn(this.state.validators.validators, this.host.index);
  }

  /** Its index in the next set, or -1. */
  get player(): number {
    return this.indexIn(this.players, this.host.index);
  }

  /** Whether the next block is the last one of the epoch that may hold dealings, or is after it. */
  get window(): 'open' | 'last' | 'over' {
    const length = BigInt(this.world.scenario.epochLength);
    const position = this.host.height % length;
    const { end } = dealingWindow(length);
    if (position + 1n === end) return 'last';
    return position < end ? 'open' : 'over';
  }

  /** The index of a validator of the run among members, or -1. */
  indexIn(members: readonly Pick<Member, 'identity_key'>[], number: number): number {
    return members.findIndex(({ identity_key: key }) => this.#parts.numbers.get(toHex(key)) === number);
  }

  outgoing(to: number, message: ResharingMessage): void {
    let messages: readonly ResharingMessage[] = [message];
    for (const { outgoing } of this.#active())
      if (outgoing !== undefined) messages = messages.flatMap((one) => outgoing(to, one));
    for (const one of messages) this.host.transmit(to, one);
  }

  onReceived(from: number, message: ResharingMessage): void {
    for (const { received } of this.#active()) received?.(from, message);
  }

  onBlock(): void {
    for (const { block } of this.#active()) block?.();
  }

  offered(items: EpochItems): EpochItems {
    return this.#active().reduce((changed, { offered }) => offered?.(changed) ?? changed, items);
  }

  broadcast(message: ResharingMessage): void {
    for (let to = 0; to < this.world.scenario.validators; to++)
      if (to !== this.host.index) this.host.transmit(to, message);
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.random.below(256));
  }

  scalar(): bigint {
    return reduceToScalar(this.bytes(32)) + 1n;
  }

  randomShare(): Uint8Array {
    return encodeScalar(this.scalar());
  }

  signedDealing(dealing: Omit<Dealing, 'signature'>): Dealing {
    const message = dealingMessage(CHAIN_ID, dealing);
    return { ...dealing, signature: RESHARING_CRYPTO.ed25519.sign(message, this.host.identity.seed) };
  }

  #active(): readonly ResharingTrait[] {
    return this.epoch >= BigInt(this.world.scenario.faultyFromEpoch) ? this.#traits : [];
  }
}
