import { NO_BLOCK, type Vote, type VoteMessage, type VoteName } from '../../core/types.js';
import type { PeerMessage } from '../../shell/ports.js';
import { placeOf } from '../model.js';
import type { Random } from '../random.js';
import type { SimBlock } from '../sim-blocks.js';
import type { World } from '../world.js';

/** One way to misbehave. */
export interface Trait {
  /** Sees a message of the validator's own process. @returns whether it is sent */
  readonly outgoing?: (to: number | undefined, message: PeerMessage) => boolean;
  /** Sees a message of another validator. @returns whether the process receives it */
  readonly incoming?: (from: number, message: PeerMessage) => boolean;
  /** Whether a message to this validator is sent. */
  readonly reaches?: (to: number, message: PeerMessage) => boolean;
  /** Called every {@link TICK_MS}. */
  readonly tick?: () => void;
}

export type TraitMaker = (actor: Actor) => Trait;

const TICK_MS = 120;

/** The validator that an actor changes the messages of. */
export interface ActorHost {
  readonly index: number;
  readonly world: World;
  readonly isAlive: boolean;
  /** Delivers a message to the validator's process. */
  deliver(from: number, message: PeerMessage): void;
  transmit(to: number, message: PeerMessage): void;
  /** Breaks a connection, which returns soon. */
  reconnect(peer: number): void;
  sign(message: VoteMessage): Vote;
}

/** Runs the real shell of a faulty validator and changes, adds or withholds messages. */
export class Actor {
  readonly host: ActorHost;
  readonly world: World;
  readonly random: Random;
  readonly index: number;
  /** The highest view seen so far, and its epoch. */
  epoch = 0;
  view = 0;
  readonly #traits: readonly Trait[];
  /** Hashes of the blocks that it has made besides those of its process. */
  readonly #offered = new Set<string>();

  constructor(host: ActorHost, traits: readonly TraitMaker[]) {
    this.host = host;
    this.world = host.world;
    this.random = host.world.random;
    this.index = host.index;
    this.#traits = traits.map((make) => make(this));
    if (this.#traits.some(({ tick }) => tick !== undefined)) this.#scheduleTick();
  }

  get peers(): readonly number[] {
    return [...Array(this.world.scenario.validators).keys()].filter((peer) => peer !== this.index);
  }

  send(to: number | undefined, message: PeerMessage): void {
    this.#see(message);
    if (this.#misbehaves && this.#traits.some(({ outgoing }) => outgoing?.(to, message) === false)) return;
    this.pass(to, message);
  }

  receive(from: number, message: PeerMessage): void {
    this.#see(message);
    if (message.type === 'get_block' && this.#offered.has(message.hash)) {
      const block = this.world.blocks.get(message.hash)?.encoded;
      this.pass(from, { type: 'block', hash: message.hash, block });
      return;
    }
    if (this.#misbehaves && this.#traits.some(({ incoming }) => incoming?.(from, message) === false)) return;
    this.host.deliver(from, message);
  }

  /** Sends a message to one validator or to all, unless it is withheld. */
  pass(to: number | undefined, message: PeerMessage): void {
    for (const peer of to === undefined ? this.peers : [to]) {
      const isWithheld =
        this.#misbehaves && this.#traits.some(({ reaches }) => reaches?.(peer, message) === false);
      if (!isWithheld) this.host.transmit(peer, message);
    }
  }

  /** Sends a block to those that ask for it. */
  serve(block: SimBlock): void {
    this.#offered.add(block.facts.hash);
  }

  /** Proposes a block at a place, and serves it from now on. */
  offer(block: SimBlock, place: VoteMessage, to?: number): void {
    const vote = this.host.sign({ ...place, hash: block.facts.hash });
    this.serve(block);
    this.pass(to, { type: 'proposal', vote, block: block.encoded });
  }

  vote(message: VoteMessage, to?: number): void {
    this.passVote(to, this.host.sign(message));
  }

  passVote(to: number | undefined, vote: Vote): void {
    this.pass(to, { type: 'vote', vote });
  }

  message(kind: VoteName, epoch: number, view: number, parentView = 0, hash = NO_BLOCK): VoteMessage {
    return { kind, epoch, view, parentView, hash };
  }

  get #misbehaves(): boolean {
    return this.epoch >= this.world.scenario.faultyFromEpoch;
  }

  #see(message: PeerMessage): void {
    const seen = placeOf(message);
    if (seen === undefined || seen.epoch > this.epoch + 1) return;
    if (seen.epoch < this.epoch || (seen.epoch === this.epoch && seen.view <= this.view)) return;
    this.epoch = seen.epoch;
    this.view = seen.view;
  }

  #scheduleTick(): void {
    this.world.after(TICK_MS, () => {
      if (this.host.isAlive && this.#misbehaves) for (const { tick } of this.#traits) tick?.();
      this.#scheduleTick();
    });
  }
}
