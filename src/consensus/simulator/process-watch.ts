import type { Certificate, Vote, VoteMessage } from '../core/types.js';
import type { PeerMessage } from '../shell/ports.js';
import { ListeningWatch } from './listening-watch.js';
import { nameOf, voteIn } from './model.js';
import { Obligations, type WatchedProcess } from './obligations.js';
import { ReceivedVotes, SURE_WINDOW } from './received-votes.js';
import type { SimValidator } from './sim-validator.js';
import type { World } from './world.js';

/** Time from the entry into an epoch until messages are surely handled, in virtual milliseconds. */
const SURE_AFTER_MS = 20;

/** Time that the check of a certificate takes at most, in virtual milliseconds. */
const CHECKED_MS = 150;

/** All that one process of an honest validator has learned, as seen from outside. */
export class ProcessWatch implements WatchedProcess {
  readonly validator: SimValidator;
  readonly world: World;
  readonly obligations: Obligations;
  readonly listening: ListeningWatch;
  readonly votes: ReceivedVotes;
  isAlive = true;
  /** Whether the process has ended because of a failed disk. */
  hasFailed = false;
  /** Whether the process has been told to stop; it ends once the work that it has begun is done. */
  isStopping = false;
  readonly startedMs: number;
  /** Height of the chain on disk when the process started. */
  readonly initialHeight: number;
  epoch = -1;
  epochEnteredMs = 0;
  /** The highest epoch and view in which the process has signed something. */
  #signed = { epoch: -1, view: 0 };
  /** Hashes of the blocks that the process has built or found valid. */
  readonly verified = new Set<string>();
  /** Hashes of the blocks that the process has found invalid. */
  readonly refuted = new Set<string>();
  /** When the verdict on each block was withheld last. */
  readonly withheldMs = new Map<string, number>();
  /** Since when each connected peer has been connected. */
  readonly connectedMs = new Map<number, number>();
  /** Names of this validator's own votes that peers have sent back. */
  readonly returned = new Set<string>();
  /** The first certificate of each view in this process, by epoch and view. */
  readonly #certified = new Map<string, { readonly kind: VoteMessage['kind']; readonly atMs: number }>();
  readonly #earlierVotes: ReadonlySet<string>;
  readonly #finalized = new Map<string, { readonly hash: string; readonly atMs: number }>();
  /** Time of the first certificate of each kind and view. */
  readonly #certifiedKinds = new Map<string, number>();
  /** Hashes of blocks that their leaders have pushed, with the time. */
  readonly #pushed = new Map<string, number>();
  readonly #pushedViews = new Set<string>();
  initialFinalizedView = 0;
  /** The highest view with a certificate on disk when the process entered its epoch. */
  #initialView = 0;
  #position = 0;
  finalizedView = 0;
  #hasEnded = false;
  /** The highest view with a certificate on the disk at the start, by epoch. */
  readonly #highestAtStart: ReadonlyMap<number, number>;
  readonly #height: () => number;

  constructor(validator: SimValidator, height: () => number) {
    this.validator = validator;
    this.world = validator.world;
    this.#height = height;
    this.startedMs = validator.world.nowMs;
    this.initialHeight = validator.records.height;
    this.#earlierVotes = validator.records.voteNames();
    this.#highestAtStart = validator.records.highestViews();
    this.obligations = new Obligations(this);
    this.listening = new ListeningWatch(validator.world, this.connectedMs);
    this.votes = new ReceivedVotes(this, this.obligations);
  }

  get height(): number {
    return this.#height();
  }

  get isRunning(): boolean {
    return this.isAlive && !this.hasFailed && !this.isStopping;
  }

  get view(): number {
    return 1 + Math.max(this.#position, this.validator.records.highestView(this.epoch));
  }

  get isVoting(): boolean {
    return this.isReady && this.listening.hasEnded && this.epoch >= this.validator.votesFromEpoch;
  }

  get isReady(): boolean {
    const { nowMs, scenario } = this.world;
    const hasEnded = this.#hasEnded || this.height >= (this.epoch + 1) * scenario.core.epochLength;
    return this.epoch >= 0 && !hasEnded && nowMs > this.epochEnteredMs + SURE_AFTER_MS;
  }

  expect(withinMs: number, otherwise: string, isDone: () => boolean): void {
    this.world.after(withinMs, () => {
      if (this.isRunning && !isDone()) this.validator.fail(otherwise);
    });
  }

  onEpoch(epoch: number): void {
    this.epoch = epoch;
    this.epochEnteredMs = this.world.nowMs;
    this.#position = 0;
    this.finalizedView = this.validator.records.finalizedView(epoch);
    this.initialFinalizedView = this.finalizedView;
    this.#initialView = this.validator.records.highestView(epoch);
    this.#hasEnded = false;
    this.votes.onEpoch();
    this.listening.onEpoch();
  }

  onVerdict(hash: string, verdict: 'valid' | 'invalid' | 'withheld'): void {
    if (verdict === 'valid') this.verified.add(hash);
    else if (verdict === 'invalid') this.refuted.add(hash);
    else this.withheldMs.set(hash, this.world.nowMs);
  }

  onConnection(peer: number, isConnected: boolean): void {
    if (isConnected) this.connectedMs.set(peer, this.world.nowMs);
    else this.connectedMs.delete(peer);
    this.listening.onConnections(isConnected);
  }

  /** Whether the process surely acts on a certificate that it makes now. */
  isNew(certificate: Certificate): boolean {
    const { kind, epoch, view } = certificate;
    if (kind === 'finalize' || !this.isReady || epoch !== this.epoch || view <= this.finalizedView)
      return false;
    return !this.#certifiedKinds.has(`${kind} ${epoch}/${view}`) && view >= this.view;
  }

  /** Notes a valid certificate that the process has made or checked. */
  onCertified({ kind, epoch, view, hash }: Certificate): void {
    const { world } = this;
    const name = `${kind} ${epoch}/${view}`;
    if (!this.#certifiedKinds.has(name)) this.#certifiedKinds.set(name, world.nowMs);
    const place = `${epoch}/${view}`;
    if (!this.#certified.has(place)) this.#certified.set(place, { kind, atMs: world.nowMs });
    if (kind === 'finalize') {
      if (!this.#finalized.has(place)) this.#finalized.set(place, { hash, atMs: world.nowMs });
      if (epoch === this.epoch) this.finalizedView = Math.max(this.finalizedView, view);
      const height = world.blocks.get(hash)?.facts.height ?? 0;
      if (height === (this.epoch + 1) * world.scenario.core.epochLength) this.#hasEnded = true;
    }
    if (epoch === this.epoch) this.#position = Math.max(this.#position, view);
  }

  /** The block that a finalization of this view names, and the time when the process learned of it. */
  finalizedAt(epoch: number, view: number): { readonly hash: string; readonly atMs: number } | undefined {
    return this.#finalized.get(`${epoch}/${view}`);
  }

  finalizedBefore(epoch: number, beforeMs: number): number {
    let highest = 0;
    for (const [place, { atMs }] of this.#finalized) {
      const [of, view] = place.split('/').map(Number);
      if (of === epoch && view !== undefined && atMs < beforeMs) highest = Math.max(highest, view);
    }
    return highest;
  }

  /** The earliest time at which the process can have entered a view of its epoch. */
  enteredMs(view: number): number {
    const started = Math.max(this.startedMs, this.epochEnteredMs);
    if (view - 1 <= this.#initialView) return started;
    return Math.max(started, this.#certified.get(`${this.epoch}/${view - 1}`)?.atMs ?? 0);
  }

  votesOf(peer: number): readonly string[] {
    return this.votes.namesOf(peer);
  }

  /** When the leader of a block's view has sent it; undefined if the process may have refused it. */
  pushedMs(hash: string): number | undefined {
    return this.#pushed.get(hash);
  }

  /** Whether a vote was in the journal before this process. */
  isFromBefore(message: VoteMessage): boolean {
    return this.#earlierVotes.has(nameOf(message));
  }

  /** The most messages of some kinds that a process may keep for later, with a limit for each peer. */
  maxKept(kinds: readonly PeerMessage['type'][], limit: number): number {
    let sum = 0;
    for (let peer = 0; peer < this.world.scenario.validators; peer++) {
      const received = kinds.reduce((count, kind) => count + (this.#received.get(`${kind} ${peer}`) ?? 0), 0);
      sum += Math.min(limit, received);
    }
    return sum;
  }
  readonly #received = new Map<string, number>();

  onReceive(from: number, message: PeerMessage): void {
    const key = `${message.type} ${from}`;
    this.#received.set(key, (this.#received.get(key) ?? 0) + 1);
    this.listening.onReceive(from, message, this.isReady ? this.epoch : undefined);
    if (message.type === 'proposal') this.#onPush(from, message);
    const vote = voteIn(message);
    if (vote !== undefined) this.#onVote(from, vote);
  }

  #onReturned(vote: Vote): void {
    const { kind, epoch, view } = vote;
    // A starting process drops votes of later epochs.
    if (!this.isReady || epoch !== this.epoch) return;
    this.returned.add(nameOf(vote));
    const { records } = this.validator;
    const isKnown = records.votesOf(epoch).some((own) => own.kind === kind && own.view === view);
    if (view <= this.view + SURE_WINDOW && view > this.finalizedView && !isKnown)
      this.obligations.onReturned(vote);
  }

  onSign(message: VoteMessage): void {
    const { epoch, view } = message;
    if (!this.hasVotedSince(epoch, view)) this.#signed = { epoch, view };
    if (message.kind === 'nullify') {
      const place = `${epoch}/${view}`;
      if (!this.#nullifiedMs.has(place)) this.#nullifiedMs.set(place, this.world.nowMs);
      this.obligations.onNullify(message);
    }
    this.votes.count(message, this.validator.index);
  }

  /** Notes a vote with an invalid partial signature. @returns false if the process has tried it before */
  noteInvalid(vote: Vote): boolean {
    const name = `${nameOf(vote)} ${vote.signer}`;
    if (this.#invalid.has(name)) return false;
    this.#invalid.add(name);
    return true;
  }
  readonly #invalid = new Set<string>();

  /** When the process got its first certificate of a view: its start if the certificate was on its disk. */
  certifiedMs(epoch: number, view: number): number {
    if (view <= (this.#highestAtStart.get(epoch) ?? 0)) return this.startedMs;
    return this.#certified.get(`${epoch}/${view}`)?.atMs ?? this.startedMs;
  }

  firstKindAt(epoch: number, view: number): VoteMessage['kind'] | undefined {
    return this.#certified.get(`${epoch}/${view}`)?.kind;
  }

  /** When the process learned that a block of a view is notarized or final; infinite if it has not. */
  notarizedMs(epoch: number, view: number): number {
    const sinceMs = (kind: VoteMessage['kind']) => this.hasSinceMs({ kind, epoch, view });
    return Math.min(sinceMs('notarize'), sinceMs('finalize'));
  }

  /** When the process got its first certificate of a kind and view; infinite if it has none. */
  hasSinceMs({ kind, epoch, view }: Pick<VoteMessage, 'kind' | 'epoch' | 'view'>): number {
    return this.#certifiedKinds.get(`${kind} ${epoch}/${view}`) ?? Number.POSITIVE_INFINITY;
  }

  /** Whether a certificate that the process has checked could not be of use: of a former epoch, or had for long. */
  isUseless(certificate: Certificate): boolean {
    const { kind, epoch } = certificate;
    const beforeMs = this.world.nowMs - CHECKED_MS;
    // Finalizations of other epochs certify the final blocks that a validator fetches.
    if (kind === 'finalize') return false;
    if (epoch !== this.epoch) return epoch < this.epoch && this.epochEnteredMs < beforeMs;
    return this.hasSinceMs(certificate) < beforeMs;
  }

  /** When the process nullified a view; infinite if it has not. */
  nullifiedMs(epoch: number, view: number): number {
    return this.#nullifiedMs.get(`${epoch}/${view}`) ?? Number.POSITIVE_INFINITY;
  }
  readonly #nullifiedMs = new Map<string, number>();

  /** Whether the process has signed something in this view or a later one. */
  hasVotedSince(epoch: number, view: number): boolean {
    return this.#signed.epoch > epoch || (this.#signed.epoch === epoch && this.#signed.view >= view);
  }

  hasCertificate({ kind, epoch, view }: VoteMessage): boolean {
    return this.#certifiedKinds.has(`${kind} ${epoch}/${view}`);
  }

  #onPush(from: number, { vote, block }: Extract<PeerMessage, { readonly type: 'proposal' }>): void {
    const { world } = this;
    const known = world.blocks.ofHeader(block.header);
    if (known === undefined || vote.signer !== from || vote.epoch !== this.epoch) return;
    const { epoch, view, hash } = known.facts;
    // Only the leader may push a block of its view, so that others cannot take its place.
    if (from !== world.leaderOf(epoch, view)) return;
    const place = `${epoch}/${view}`;
    const isSure =
      this.isReady &&
      epoch === this.epoch &&
      view >= this.view &&
      view <= this.view + SURE_WINDOW &&
      Buffer.compare(known.encoded.body, block.body) === 0;
    if (isSure && !this.#pushedViews.has(place)) this.#pushed.set(hash, world.nowMs);
    this.#pushedViews.add(place);
  }

  #onVote(from: number, vote: Vote): void {
    const { world } = this;
    const { index } = this.validator;
    const { epoch, signer } = vote;
    if (signer === index && from !== signer) {
      if (world.keys.isSigned(vote)) this.#onReturned(vote);
      return;
    }
    if (signer !== from) return;
    if (epoch < this.epoch && this.isReady) this.obligations.onOldMessage(from);
    if (world.keys.isSigned(vote)) this.votes.onVote(vote);
  }
}
