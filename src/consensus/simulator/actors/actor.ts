import type { Certificate, Vote, VoteMessage, VoteName } from '../../core/types.js';
import { NO_BLOCK } from '../../core/types.js';
import type { PeerMessage } from '../../shell/ports.js';
import type { Host } from '../host.js';
import type { ActorName } from '../scenario.js';
import type { SimBlock } from '../sim-blocks.js';
import { FORGERS } from './proposals.js';
import { TRAFFIC } from './traffic.js';
import { VOTERS } from './voters.js';

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

const TRAITS: Readonly<Record<Exclude<ActorName, 'twins'>, TraitMaker>> = {
  ...VOTERS,
  ...FORGERS,
  ...TRAFFIC,
};

export function actorOf(host: Host, names: readonly ActorName[], half: number | undefined): Actor {
  return new Actor(host, names, half);
}

/** Runs the real shell of a faulty validator and changes, adds or withholds messages. */
export class Actor {
  readonly host: Host;
  /** The highest view seen so far, and its epoch. */
  epoch = 0;
  view = 0;
  readonly #traits: readonly Trait[];
  /** Hashes of the blocks that it has made besides those of its process. */
  readonly #offered = new Set<string>();

  constructor(host: Host, names: readonly ActorName[], half: number | undefined) {
    this.host = host;
    const traits = names.flatMap((name) => (name === 'twins' ? [] : [TRAITS[name](this)]));
    this.#traits = half === undefined ? traits : [...traits, twin(this, half)];
    if (this.#traits.some(({ tick }) => tick !== undefined)) this.#scheduleTick();
  }

  get random() {
    return this.host.world.random;
  }

  get world() {
    return this.host.world;
  }

  get index(): number {
    return this.host.index;
  }

  get peers(): readonly number[] {
    return Array.from({ length: this.world.scenario.validators }, (_, peer) => peer).filter(
      (peer) => peer !== this.index,
    );
  }

  /** Sends a message of the process. */
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
    this.host.process?.receive(from, message);
  }

  /** Sends a message to one validator or to all, unless it is withheld. */
  pass(to: number | undefined, message: PeerMessage): void {
    for (const peer of to === undefined ? this.peers : [to]) {
      if (this.#misbehaves && this.#traits.some(({ reaches }) => reaches?.(peer, message) === false))
        continue;
      this.host.transmit(peer, message);
    }
  }

  /** Sends a block to those that ask for it. */
  serve(block: SimBlock): void {
    this.#offered.add(block.facts.hash);
  }

  /** Proposes a block, and serves it from now on. */
  offer(block: SimBlock, message: VoteMessage, to?: number): void {
    const vote = this.host.sign(message);
    this.serve(block);
    this.pass(to, { type: 'proposal', vote, block: block.encoded });
  }

  /** Signs a message and sends the vote. */
  vote(message: VoteMessage, to?: number): void {
    this.pass(to, { type: 'vote', vote: this.host.sign(message) });
  }

  message(kind: VoteName, epoch: number, view: number, parentView = 0, hash = NO_BLOCK): VoteMessage {
    return { kind, epoch, view, parentView, hash };
  }

  get #misbehaves(): boolean {
    return this.epoch >= this.world.scenario.byzantineFromEpoch;
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

function placeOf(message: PeerMessage): Pick<Vote | Certificate, 'epoch' | 'view'> | undefined {
  if (message.type === 'vote' || message.type === 'proposal') return message.vote;
  return message.type === 'certificate' ? message.certificate : undefined;
}

/** Interval at which a pair of twins divides its peers anew, in virtual milliseconds. */
const ROUND_MS = 700;

/** One of two processes with the same keys and separate disks; each sends to its half of the peers. */
function twin({ world }: Actor, half: number): Trait {
  return {
    reaches: (to) => {
      const round = Math.floor(world.nowMs / ROUND_MS);
      // Spreads peers evenly over both halves, differently in each round.
      return (((to * 7 + round * 5 + ((to * round) >> 1)) >> 1) & 1) === half;
    },
  };
}
