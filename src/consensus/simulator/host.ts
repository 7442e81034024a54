import { meshCodecs } from '../../generated/mesh-codecs.js';
import { readBe64 } from '../../storage/big-endian.js';
import type { Vote } from '../core/types.js';
import { voteFromWire } from '../core/wire.js';
import type { PeerMessage } from '../shell/ports.js';
import { type Actor, actorOf } from './actors/actor.js';
import { DiskRecords } from './disk-records.js';
import type { ActorName } from './scenario.js';
import type { SimBlock } from './sim-blocks.js';
import { transactionsOf } from './sim-chain.js';
import { type DiskImage, SimDisk } from './sim-disk.js';
import { SimProcess } from './sim-process.js';
import type { World } from './world.js';

/** A final view, and when it was committed. */
interface FinalPlace {
  readonly epoch: number;
  readonly view: number;
  readonly atMs: number;
}

/** A validator: its disk, and its processes one after another. A faulty one has an actor in between it and the others. */
export class Host {
  readonly index: number;
  readonly world: World;
  readonly disk: SimDisk;
  /** What the disk holds for good. */
  records = new DiskRecords();
  readonly actor: Actor | undefined;
  /** Counts the processes, including the current one. */
  life = 0;
  skewMs: number;
  /** The first epoch in which this validator may vote again after it lost its disk. */
  votesFromEpoch = 0;
  hasLostDisk = false;
  wasRestored = false;
  process: SimProcess | undefined;
  readonly #pool = new Set<number>();
  /** Transactions of committed blocks. */
  readonly #included = new Set<number>();
  readonly #finalPlaces: (FinalPlace & { readonly life: number })[] = [];
  #backup: { readonly image: DiskImage; readonly records: DiskRecords } | undefined;

  constructor(world: World, index: number, actors: readonly ActorName[], half?: number) {
    this.world = world;
    this.index = index;
    this.skewMs = world.scenario.skewsMs[index] ?? 0;
    this.disk = new SimDisk((batch) => this.records.note(batch));
    this.actor = actors.length === 0 ? undefined : actorOf(this, actors, half);
  }

  get isHonest(): boolean {
    return this.actor === undefined;
  }

  get isAlive(): boolean {
    return this.process !== undefined;
  }

  get height(): number {
    return this.process?.height ?? 0;
  }

  /** Transactions that wait here, by number. */
  get pool(): ReadonlySet<number> {
    return this.#pool;
  }

  /** Adds a transaction that is not in a committed block. */
  addTransaction(transaction: number): void {
    if (this.#included.has(transaction)) return;
    this.#pool.add(transaction);
    this.process?.shell?.onTransactionAdded();
  }

  onCommitted(block: SimBlock): void {
    for (const transaction of transactionsOf(block)) {
      this.#included.add(transaction);
      this.#pool.delete(transaction);
    }
  }

  start(): void {
    if (this.process !== undefined) return;
    this.life++;
    this.process = new SimProcess(this);
    this.process.start();
    this.world.links.started(this.index);
  }

  /** Kills the process in the middle of whatever it does. */
  crash(disk: 'kept' | 'wiped' | 'restored' = 'kept'): void {
    const { process, world } = this;
    if (process === undefined) return;
    world.trace(() => `${this.index} crashes${disk === 'kept' ? '' : `, its disk is ${disk}`}`);
    this.process = undefined;
    this.life++;
    this.disk.crash(world.random, process.inFlight);
    process.kill();
    if (disk === 'wiped') this.#wipe();
    if (disk === 'restored') this.#restore();
    world.links.stopped(this.index);
  }

  /** Crashes now and starts again soon. */
  restart(withinMs = 1_000): void {
    const { world } = this;
    this.crash();
    world.after(world.random.below(withinMs), () => this.start());
  }

  /** The evidence that is stored. */
  evidence(): readonly { readonly first: Vote; readonly second: Vote }[] {
    const stored = [...this.disk.scan('consensus', { gte: Buffer.from('e'), lt: Buffer.from('f') })];
    return stored.flatMap(([, value]) => {
      const decoded = meshCodecs.VoteEvidence.decode(value);
      const [first, second] = [voteFromWire(decoded.first), voteFromWire(decoded.second)];
      return first === undefined || second === undefined ? [] : [{ first, second }];
    });
  }

  /** Whether evidence against the signer of a vote is stored. */
  hasEvidence({ epoch, view, signer, kind }: Vote): boolean {
    return this.evidence().some(
      ({ second }) =>
        second.epoch === epoch && second.view === view && second.signer === signer && second.kind === kind,
    );
  }

  /** Notes a commit of a block with its own certificate. */
  onCertifiedCommit(place: FinalPlace): void {
    this.#finalPlaces.push({ ...place, life: this.life });
  }

  /** The last place that was final in this process before a time, if a later one has followed. */
  committedBefore(ms: number): FinalPlace | undefined {
    const places = this.#finalPlaces.filter(({ life }) => life === this.life);
    return places.slice(0, -1).findLast(({ atMs }) => atMs < ms);
  }

  /** Whether the journal has entries up to a view. */
  hasJournalUpTo({ epoch, view }: FinalPlace): boolean {
    return [...this.disk.scan('consensus', { gte: Buffer.from('j'), lt: Buffer.from('k') })].some(([key]) => {
      const [of, at] = [readBe64(key, 1), readBe64(key, 9)];
      return of < BigInt(epoch) || (of === BigInt(epoch) && at <= BigInt(view));
    });
  }

  backUp(): void {
    this.#backup = { image: this.disk.image(), records: this.records.copy() };
  }

  onConnection(peer: number, isConnected: boolean): void {
    this.process?.onConnection(peer, isConnected);
  }

  receive(from: number, message: PeerMessage): void {
    if (this.process === undefined) return;
    if (this.actor === undefined) this.process.receive(from, message);
    else this.actor.receive(from, message);
  }

  /** Sends past the actor. */
  transmit(to: number, message: PeerMessage): void {
    this.world.links.send(this.index, to, message);
  }

  /** Signs a vote whatever it says; for faulty validators. */
  sign(message: Parameters<World['keys']['vote']>[0]): Vote {
    this.world.checks.onFaultyVote(message, this.index);
    return this.world.keys.vote(message, this.index);
  }

  #wipe(): void {
    this.disk.replace(undefined);
    this.records = new DiskRecords();
    this.hasLostDisk = true;
    this.votesFromEpoch = this.world.checks.epoch + 1;
  }

  #restore(): void {
    const backup = this.#backup;
    this.disk.replace(backup?.image);
    this.records = backup?.records.copy() ?? new DiskRecords();
    this.wasRestored = true;
  }
}
