import { meshCodecs } from '../../generated/mesh-codecs.js';
import { be64, readBe64 } from '../../storage/big-endian.js';
import type { Vote, VoteMessage, VoteName } from '../core/types.js';
import { voteFromWire } from '../core/wire.js';
import { MAX_EVIDENCE_A_SIGNER } from '../shell/evidence-store.js';
import { DiskRecords } from './disk-records.js';
import { type DiskImage, type DiskWrite, SimDisk } from './sim-disk.js';
import type { World } from './world.js';

interface FinalPlace {
  readonly epoch: number;
  readonly view: number;
  readonly atMs: number;
}

/** A validator across its processes: its disk, its clock, and the losses of its disk. */
export class SimValidator {
  readonly index: number;
  readonly world: World;
  readonly disk: SimDisk;
  /** What the disk holds for good. */
  records = new DiskRecords();
  /** Counts the processes, including the current one. */
  life = 0;
  /** Error of the wall clock, in milliseconds. */
  skewMs: number;
  /** When the wall clock jumped last. */
  clockMovedMs = Number.NEGATIVE_INFINITY;
  /** The first epoch in which this validator may vote again after it lost its disk. */
  votesFromEpoch = 0;
  hasLostDisk = false;
  wasRestored = false;
  readonly #finalPlaces: (FinalPlace & { readonly life: number })[] = [];
  /** All votes that it has signed if it is honest, by epoch and view. */
  readonly signed = new Map<string, { readonly [K in VoteName]?: VoteMessage }>();
  #backup: { readonly image: DiskImage; readonly records: DiskRecords } | undefined;

  constructor(world: World, index: number) {
    this.world = world;
    this.index = index;
    this.skewMs = world.scenario.skewsMs[index] ?? 0;
    this.disk = new SimDisk((batch) => this.#note(batch));
  }

  /** Notes that this validator breaks a promise. @param what follows its name */
  fail(what: string): void {
    this.world.fail('safety', `validator ${this.index} ${what}`);
  }

  moveClock(byMs: number): void {
    this.skewMs += byMs;
    this.clockMovedMs = this.world.nowMs;
  }

  evidence(): readonly { readonly first: Vote; readonly second: Vote }[] {
    const stored = [...this.disk.scan('consensus', { gte: Buffer.from('e'), lt: Buffer.from('f') })];
    return stored.flatMap(([, value]) => {
      const decoded = meshCodecs.VoteEvidence.decode(value);
      const [first, second] = [voteFromWire(decoded.first), voteFromWire(decoded.second)];
      return first === undefined || second === undefined ? [] : [{ first, second }];
    });
  }

  /** Whether evidence against the signer of a vote is stored: that vote, or as much as is kept of one signer. */
  hasEvidence({ epoch, view, signer, kind }: Vote): boolean {
    const ofSigner = this.evidence().filter(({ second }) => second.signer === signer);
    return (
      ofSigner.length >= MAX_EVIDENCE_A_SIGNER ||
      ofSigner.some(({ second }) => second.epoch === epoch && second.view === view && second.kind === kind)
    );
  }

  /** Whether it has signed nullify or finalize in a view. */
  hasEnded(epoch: number, view: number): boolean {
    const signed = this.signed.get(`${epoch}/${view}`);
    return signed?.nullify !== undefined || signed?.finalize !== undefined;
  }

  hasFinalization(height: number): boolean {
    return this.disk.get('certificates', be64(BigInt(height))) !== undefined;
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

  hasJournalUpTo({ epoch, view }: FinalPlace): boolean {
    return [...this.disk.scan('consensus', { gte: Buffer.from('j'), lt: Buffer.from('k') })].some(([key]) => {
      const [of, at] = [readBe64(key, 1), readBe64(key, 9)];
      return of < BigInt(epoch) || (of === BigInt(epoch) && at <= BigInt(view));
    });
  }

  backUp(): void {
    this.#backup = { image: this.disk.image(), records: this.records.copy() };
  }

  #note(batch: readonly DiskWrite[]): void {
    const lost = this.records.note(batch);
    if (lost === undefined || !this.world.isHonest(this.index)) return;
    const place = Buffer.from(lost, 'latin1');
    const at = `${readBe64(place, 1)}/${readBe64(place, 9)}`;
    this.fail(`loses a journal entry of view ${at}, which is not final`);
  }

  wipe(): void {
    this.disk.replace(undefined);
    this.records = new DiskRecords();
    this.hasLostDisk = true;
    this.votesFromEpoch = this.world.epoch + 1;
  }

  /** Puts the backup in place of the disk; an empty disk if there is none. */
  restore(): void {
    const backup = this.#backup;
    this.disk.replace(backup?.image);
    this.records = backup?.records.copy() ?? new DiskRecords();
    this.wasRestored = true;
  }
}
