import type { SealShare } from '../../generated/mesh.js';
import type { VoteMessage } from '../core/types.js';
import type { PeerMessage } from '../shell/ports.js';
import type { Actor } from './actors/actor.js';
import { actorOf } from './actors/traits.js';
import type { Links } from './links.js';
import type { SimMessage } from './model.js';
import type { ActorName } from './scenario.js';
import type { SimBlock } from './sim-blocks.js';
import { transactionsOf } from './sim-chain.js';
import { SimProcess } from './sim-process.js';
import { SimValidator } from './sim-validator.js';
import type { World } from './world.js';

/** Time limit of a stop in order, in virtual milliseconds. */
const STOP_MS = 30_000;

export interface HostOptions {
  readonly world: World;
  readonly links: Links;
  readonly index: number;
  /** None for an honest validator. */
  readonly actors: readonly ActorName[];
  /** Which of a pair of twins this is, 0 or 1. */
  readonly half?: number | undefined;
  /** Called after each vote that an honest validator signs. */
  readonly onHonestVote: () => void;
}

/** Runs a validator's processes one after another. A faulty one has an actor in between it and the others. */
export class Host {
  readonly index: number;
  readonly world: World;
  readonly validator: SimValidator;
  readonly #options: HostOptions;
  readonly #actor: Actor | undefined;
  process: SimProcess | undefined;
  /** Whether the process is stopping in order, and whether it starts again afterwards. */
  #stopping: { startsAgain: boolean } | undefined;
  /** Transactions that wait here, by number. */
  readonly pool = new Set<number>();
  /** Transactions of committed blocks. */
  readonly #included = new Set<number>();

  constructor(options: HostOptions) {
    const { world, index, actors, half } = options;
    this.#options = options;
    this.index = index;
    this.world = world;
    this.validator = new SimValidator(world, index);
    this.#actor = actors.length === 0 ? undefined : actorOf(this, actors, half);
  }

  get isHonest(): boolean {
    return this.#actor === undefined;
  }

  get isAlive(): boolean {
    return this.process !== undefined;
  }

  get life(): number {
    return this.validator.life;
  }

  get height(): number {
    return this.process?.height ?? 0;
  }

  /** Adds a transaction that is not in a committed block. */
  addTransaction(transaction: number): void {
    if (this.#included.has(transaction)) return;
    this.pool.add(transaction);
    this.process?.shell?.onTransactionAdded();
  }

  start(): void {
    if (this.#stopping !== undefined) this.#stopping.startsAgain = true;
    if (this.process !== undefined) return;
    const { links, onHonestVote } = this.#options;
    this.validator.life++;
    this.process = new SimProcess({
      links,
      onHonestVote,
      validator: this.validator,
      isHonest: this.isHonest,
      pool: this.pool,
      onCommitted: (block) => this.#onCommitted(block),
      send: (to, message) => this.#send(to, message),
      sendShare: (to, share) => this.#sendShare(to, share),
      restart: () => this.restart(),
    });
    this.process.start();
    links.started(this.index);
  }

  /** Ends the process in order: nothing that it has written is lost. */
  async stop(): Promise<void> {
    const { validator, world } = this;
    const process = this.process;
    if (process === undefined || this.#stopping !== undefined) return;
    // A process that is still opening its store has nothing to stop.
    if (process.shell === undefined) {
      this.crash();
      return;
    }
    world.trace(() => `${this.index} stops`);
    const stopping = { startsAgain: false };
    this.#stopping = stopping;
    world.after(STOP_MS, () => {
      if (this.#stopping === stopping) world.fail('liveness', `validator ${this.index} does not stop`);
    });
    await process.stop();
    if (this.#stopping !== stopping) return;
    this.#stopping = undefined;
    this.process = undefined;
    validator.life++;
    process.kill();
    this.#options.links.stopped(this.index);
    if (stopping.startsAgain) this.start();
  }

  /** Ends the process in the middle of its work. */
  crash(disk: 'kept' | 'wiped' | 'restored' = 'kept'): void {
    const { validator, world } = this;
    const process = this.process;
    if (process === undefined) return;
    world.trace(() => `${this.index} crashes${disk === 'kept' ? '' : `, its disk is ${disk}`}`);
    this.process = undefined;
    const startsAgain = this.#stopping?.startsAgain === true;
    this.#stopping = undefined;
    validator.life++;
    validator.disk.crash(world.random, process.inFlight);
    process.kill();
    if (disk === 'wiped') validator.wipe();
    if (disk === 'restored') validator.restore();
    this.#options.links.stopped(this.index);
    if (startsAgain) this.start();
  }

  restart(withinMs = 1_000): void {
    const { world } = this;
    this.crash();
    world.after(world.random.below(withinMs), () => this.start());
  }

  onConnection(peer: number, isConnected: boolean): void {
    this.process?.onConnection(peer, isConnected);
  }

  receive(from: number, message: SimMessage): void {
    if (this.process === undefined) return;
    if (message.type === 'seal_share') this.process.receiveShare(from, message.share);
    else if (this.#actor === undefined) this.deliver(from, message);
    else this.#actor.receive(from, message);
  }

  deliver(from: number, message: PeerMessage): void {
    this.process?.receive(from, message);
  }

  /** Sends a message past the actor. */
  transmit(to: number, message: SimMessage): void {
    this.#options.links.send(this.index, to, message);
  }

  reconnect(peer: number): void {
    this.#options.links.lose(this.index, peer);
  }

  sign(message: VoteMessage) {
    this.world.noteVote(message, this.index);
    return this.world.keys.vote(message, this.index);
  }

  #send(to: number | undefined, message: PeerMessage): void {
    if (this.#actor !== undefined) this.#actor.send(to, message);
    else this.#transmitTo(to, message);
  }

  /** A faulty validator keeps its parts of keys to itself. */
  #sendShare(to: number | undefined, share: SealShare): void {
    if (this.isHonest) this.#transmitTo(to, { type: 'seal_share', share });
  }

  #transmitTo(to: number | undefined, message: SimMessage): void {
    if (to !== undefined) this.transmit(to, message);
    else
      for (let peer = 0; peer < this.world.scenario.validators; peer++)
        if (peer !== this.index) this.transmit(peer, message);
  }

  #onCommitted(block: SimBlock): void {
    for (const transaction of transactionsOf(block)) {
      this.#included.add(transaction);
      this.pool.delete(transaction);
    }
  }
}
