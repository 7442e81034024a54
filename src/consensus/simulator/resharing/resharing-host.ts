import type { EpochItems } from '../../../chain/epochs/epoch-state.js';
import { NO_EPOCH_ITEMS } from '../../../chain/epochs/epoch-state.js';
import type { ValidatorIdentity } from '../../files/identity-file.js';
import type { LinkEnd, Links } from '../links.js';
import type { ResharingActorRuntime } from './actors/resharing-actor.js';
import type { ResharingChecks } from './checks/resharing-checks.js';
import type { FinalBlocks } from './final-blocks.js';
import { FollowedChain } from './followed-chain.js';
import type { HostView, ResharingMessage } from './resharing-model.js';
import { ResharingProcess } from './resharing-process.js';
import type { ResharingWorld } from './resharing-scenario.js';
import type { SecretDisk } from './secret-disk.js';

/** Number of blocks in one commit, at most; only its last one is synced. */
const COMMIT_BLOCKS = 4;
/** Delay between two commits of a validator that catches up, in virtual milliseconds. */
const CATCH_UP_MS = [1, 20] as const;
/** Time until a crashed validator starts again, in virtual milliseconds. */
const RESTART_MS = [10, 3_000] as const;

export interface ResharingHostOptions {
  readonly world: ResharingWorld;
  readonly links: Links<ResharingMessage>;
  readonly blocks: FinalBlocks;
  readonly checks: ResharingChecks;
  readonly index: number;
  readonly identity: ValidatorIdentity;
  readonly disk: SecretDisk;
  /** Numbers of all validators in the run by identity. */
  readonly numbers: ReadonlyMap<string, number>;
  /** The identities, by number. */
  readonly names: readonly string[];
}

/** Runs a validator's processes one after another. A faulty one has an actor in between it and the others. */
export class ResharingHost implements HostView, LinkEnd<ResharingMessage> {
  readonly index: number;
  readonly identity: ValidatorIdentity;
  readonly disk: SecretDisk;
  readonly unread = new Set<bigint>();
  life = 0;
  /** Undefined for an honest validator. */
  actor: ResharingActorRuntime | undefined;
  readonly #options: ResharingHostOptions;
  #process: ResharingProcess | undefined;
  /** Height of the last block on the disk. */
  #syncedHeight = 0n;
  #isCommitting = false;

  constructor(options: ResharingHostOptions) {
    this.#options = options;
    this.index = options.index;
    this.identity = options.identity;
    this.disk = options.disk;
  }

  get isAlive(): boolean {
    return this.#process !== undefined;
  }

  get height(): bigint {
    return this.#process?.chain.height ?? this.#syncedHeight;
  }

  /** Whether the process has started, and has all final blocks. */
  get isAtTip(): boolean {
    return this.#process?.resharing !== undefined && this.height === this.#options.blocks.height;
  }

  /** The dealings and complaints that it would propose. */
  get waiting(): EpochItems {
    return { ...NO_EPOCH_ITEMS, ...this.#process?.resharing?.waiting };
  }

  fail(what: string): void {
    this.#options.world.fail('safety', `validator ${this.index} ${what}`);
  }

  start(): void {
    if (this.#process !== undefined) return;
    const { world, links, blocks, identity, disk, checks, index, numbers } = this.#options;
    const life = ++this.life;
    const isAlive = () => this.life === life && this.#process !== undefined;
    const isPruned = world.scenario.pruned.has(index);
    const process = new ResharingProcess({
      world,
      identity,
      disk,
      isAlive,
      chain: new FollowedChain(blocks, this.#syncedHeight, isPruned),
      onStep: () => this.#maybeCrash(),
      send: (to, message) => this.#send(numbers.get(to), message),
      broadcast: (message) => {
        for (const peer of links.connected(index)) this.#send(peer, message);
      },
      drop: (name, reason) => {
        const other = numbers.get(name) ?? -1;
        world.trace(() => `${index} drops ${other}: ${reason}`);
        checks.onDrop(this, other, reason);
        links.lose(index, other);
      },
      onError: (message) => checks.onError(this, message),
      onUnread: (epoch) => this.unread.add(epoch),
    });
    this.#process = process;
    this.#isCommitting = false;
    world.trace(() => `${index} starts at height ${this.height}`);
    process.open().then(
      () => {
        if (!isAlive()) return;
        links.started(index);
        checks.onSettled(this);
        this.pull();
      },
      (error: unknown) => checks.onError(this, `it does not start: ${String(error)}`),
    );
  }

  crash(): void {
    if (this.#process === undefined) return;
    const { world, links, index } = this.#options;
    world.trace(() => `${index} crashes at height ${this.height}`);
    this.life++;
    this.#process = undefined;
    this.disk.crash();
    links.stopped(index);
  }

  receive(from: number, message: ResharingMessage): void {
    this.#options.checks.messages.onReceived(message);
    this.actor?.onReceived(from, message);
    this.#process?.deliver(this.#options.names[from] ?? '', message);
  }

  onConnection(peer: number, isConnected: boolean): void {
    if (!isConnected) return;
    this.#process?.connected(this.#options.names[peer] ?? '');
    this.pull();
  }

  transmit(to: number, message: ResharingMessage): void {
    this.#options.links.send(this.index, to, message);
  }

  /** Fetches the next final blocks, if there are any and a peer is connected. */
  pull(): void {
    const { world, links, blocks, index } = this.#options;
    const process = this.#process;
    if (process?.resharing === undefined || this.#isCommitting || this.height >= blocks.height) return;
    if (links.connected(index).length === 0) return;
    this.#isCommitting = true;
    const isBehind = blocks.height - this.height > 1n;
    const [low, high] = isBehind ? CATCH_UP_MS : world.scenario.latencyMs;
    const { life } = this;
    world.after(world.random.between(low, high), () => {
      if (life !== this.life) return;
      this.#isCommitting = false;
      this.#commit(process);
      if (life === this.life) this.pull();
    });
  }

  /**
   * Commits some blocks. A crash in the middle loses those that are not synced, but never the last block of an epoch:
   * agreement syncs it before anything of the next epoch.
   */
  #commit(process: ResharingProcess): void {
    const { world, blocks, checks } = this.#options;
    const { life } = this;
    const { epochLength } = world.scenario;
    for (let count = 0; count < COMMIT_BLOCKS && process.chain.height < blocks.height; count++) {
      const before = process.chain.tip.epochs.validators.epoch;
      const isLast = (process.chain.height + 1n) % BigInt(epochLength) === 0n;
      process.chain.commit();
      if (isLast) this.#syncedHeight = process.chain.height;
      this.actor?.onBlock();
      if (process.chain.tip.epochs.validators.epoch !== before) {
        void process.resharing?.settled.then(() => {
          if (life === this.life) checks.onSettled(this);
        });
      }
      this.#maybeCrash();
      if (life !== this.life) return;
      if (isLast) break;
    }
    this.#syncedHeight = process.chain.height;
  }

  #send(to: number | undefined, message: ResharingMessage): void {
    const { checks, world } = this.#options;
    if (to === undefined || to === this.index) return;
    if (this.actor === undefined) {
      checks.messages.onSend(this, to, message);
      world.trace(() => `${this.index} sends ${message.kind} of epoch ${message.value.epoch} to ${to}`);
      this.transmit(to, message);
    } else this.actor.outgoing(to, message);
  }

  #maybeCrash(): void {
    const { world } = this.#options;
    const { random, scenario, isStable } = world;
    if (isStable || !random.chance(scenario.crash)) return;
    this.crash();
    world.after(random.between(...RESTART_MS), () => this.start());
  }
}
