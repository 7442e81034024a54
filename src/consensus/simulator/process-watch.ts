import type { Certificate, Vote, VoteMessage } from '../core/types.js';
import type { PeerMessage } from '../shell/ports.js';
import { ListeningWatch } from './listening-watch.js';
import { nameOf } from './model.js';
import { Obligations, type WatchedProcess } from './obligations.js';
import type { SimValidator } from './sim-validator.js';

/** Views above the current one in which votes are surely kept. */
const SURE_WINDOW = 8;
/** Time from the entry into an epoch until messages are surely handled, in virtual milliseconds. */
const SURE_AFTER_MS = 20;

/** Time that the check of a certificate takes at most, in virtual milliseconds. */
const CHECKED_MS = 150;

interface Received {
  readonly vote: Vote;
  /** Whether the process surely keeps it. */
  readonly isKept: boolean;
}

/** Receives what a process must react to. */
export interface WatchListener {
  /** Called with a vote that contradicts one that the process surely keeps. */
  onConflict(watch: ProcessWatch, vote: Vote): void;
  /** Called when f + 1 others nullify the view that the process is in. */
  onNullifiers(watch: ProcessWatch, view: number): void;
}

/** All that one process of an honest validator has learned, as seen from outside. */
export class ProcessWatch implements WatchedProcess {
  readonly validator: SimValidator;
  readonly obligations: Obligations;
  readonly listening: ListeningWatch;
  /** False once the process was killed. */
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
  /** The highest view on disk that was final when the process entered its epoch. */
  initialFinalizedView = 0;
  /** The highest view with a certificate on disk when the process entered its epoch. */
  #initialView = 0;
  #position = 0;
  #finalizedView = 0;
  #hasEnded = false;
  readonly #nullifiers = new Map<string, Set<number>>();
  readonly #proposals = new Map<string, { readonly message: VoteMessage; readonly atMs: number }[]>();
  #lastVotes: { readonly signer: number; readonly view: number; readonly atMs: number }[] = [];
  /** The first vote of each signer, kind and view. */
  readonly #firstVotes = new Map<string, Received>();

  /** The highest view with a certificate on the disk at the start, by epoch. */
  readonly #highestAtStart: ReadonlyMap<number, number>;
  readonly #listener: WatchListener;
  readonly #height: () => number;

  /** @param height of the process's chain */
  constructor(validator: SimValidator, listener: WatchListener, height: () => number) {
    this.validator = validator;
    this.#listener = listener;
    this.#height = height;
    this.startedMs = validator.world.nowMs;
    this.initialHeight = validator.records.height;
    this.#earlierVotes = validator.records.voteNames();
    this.#highestAtStart = validator.records.highestViews();
    this.obligations = new Obligations(this);
    this.listening = new ListeningWatch(validator.world);
  }

  /** Height of the process's chain. */
  get height(): number {
    return this.#height();
  }

  /** Whether the process has duties: a killed, failed or stopping one has none. */
  get isRunning(): boolean {
    return this.isAlive && !this.hasFailed && !this.isStopping;
  }

  /** The lowest view in which the process can be. */
  get view(): number {
    return 1 + Math.max(this.#position, this.validator.records.highestView(this.epoch));
  }

  /** The highest view that this process may know to be final. */
  get finalizedView(): number {
    return this.#finalizedView;
  }

  /** Whether the process surely votes in its epoch. */
  get isVoting(): boolean {
    return this.isReady && this.listening.hasEnded && this.epoch >= this.validator.votesFromEpoch;
  }

  /** Whether the process surely handles messages of its epoch. */
  get isReady(): boolean {
    const { nowMs, scenario } = this.validator.world;
    const hasEnded = this.#hasEnded || this.height >= (this.epoch + 1) * scenario.core.epochLength;
    return this.epoch >= 0 && !hasEnded && nowMs > this.epochEnteredMs + SURE_AFTER_MS;
  }

  onEpoch(epoch: number): void {
    this.epoch = epoch;
    this.epochEnteredMs = this.validator.world.nowMs;
    this.#position = 0;
    this.#finalizedView = this.validator.records.finalizedView(epoch);
    this.initialFinalizedView = this.#finalizedView;
    this.#initialView = this.validator.records.highestView(epoch);
    this.#hasEnded = false;
    this.#lastVotes = [];
    this.listening.onEpoch();
  }

  /** Whether the process surely acts on a certificate that it makes now. */
  isNew(certificate: Certificate): boolean {
    const { kind, epoch, view } = certificate;
    if (kind === 'finalize' || !this.isReady || epoch !== this.epoch || view <= this.#finalizedView)
      return false;
    return !this.#certifiedKinds.has(`${kind} ${epoch}/${view}`) && view >= this.view;
  }

  /** Notes a valid certificate that the process has made or checked. */
  onCertified({ kind, epoch, view, hash }: Certificate): void {
    const { world } = this.validator;
    const name = `${kind} ${epoch}/${view}`;
    if (!this.#certifiedKinds.has(name)) this.#certifiedKinds.set(name, world.nowMs);
    const place = `${epoch}/${view}`;
    if (!this.#certified.has(place)) this.#certified.set(place, { kind, atMs: world.nowMs });
    if (kind === 'finalize') {
      if (!this.#finalized.has(place)) this.#finalized.set(place, { hash, atMs: world.nowMs });
      if (epoch === this.epoch) this.#finalizedView = Math.max(this.#finalizedView, view);
      const height = world.blocks.get(hash)?.facts.height ?? 0;
      if (height === (this.epoch + 1) * world.scenario.core.epochLength) this.#hasEnded = true;
    }
    if (epoch === this.epoch) this.#position = Math.max(this.#position, view);
  }

  /** The block that a finalization of this view names, and the time when the process learned of it. */
  finalizedAt(epoch: number, view: number): { readonly hash: string; readonly atMs: number } | undefined {
    return this.#finalized.get(`${epoch}/${view}`);
  }

  /** The highest view of an epoch that was known to be final before a time. */
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

  /** Number of others whose nullify has arrived. */
  nullifiers(epoch: number, view: number): number {
    return this.#nullifiers.get(`${epoch}/${view}`)?.size ?? 0;
  }

  /** The leader's notarize votes of a view that have arrived. */
  proposals(epoch: number, view: number) {
    return this.#proposals.get(`${epoch}/${view}`) ?? [];
  }

  /** The highest view of this epoch in which a vote of a validator has arrived before a time. */
  lastVote(of: number, beforeMs: number): number {
    let last = 0;
    for (const { signer, view, atMs } of this.#lastVotes)
      if (signer === of && atMs < beforeMs) last = Math.max(last, view);
    return last;
  }

  /** Names of votes of a peer that are surely kept. */
  votesOf(peer: number): readonly string[] {
    const names: string[] = [];
    for (const { vote, isKept } of this.#firstVotes.values()) {
      if (isKept && vote.signer === peer && vote.epoch === this.epoch && vote.view >= this.view)
        names.push(nameOf(vote));
    }
    return names;
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
    for (let peer = 0; peer < this.validator.world.scenario.validators; peer++) {
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
    if (message.type === 'vote' || message.type === 'proposal') this.#onVote(from, message.vote);
  }

  #onReturned(vote: Vote): void {
    const { kind, epoch, view } = vote;
    // A starting process drops votes of later epochs.
    if (!this.isReady || epoch !== this.epoch) return;
    this.returned.add(nameOf(vote));
    const { records } = this.validator;
    const isKnown = records.votesOf(epoch).some((own) => own.kind === kind && own.view === view);
    if (view <= this.view + SURE_WINDOW && view > this.#finalizedView && !isKnown)
      this.obligations.onReturned(vote);
  }

  /** Notes a vote that the process signs. */
  onSign(message: VoteMessage): void {
    const { epoch, view } = message;
    if (!this.hasVotedSince(epoch, view)) this.#signed = { epoch, view };
    if (message.kind === 'nullify') {
      const place = `${epoch}/${view}`;
      if (!this.#nullifiedMs.has(place)) this.#nullifiedMs.set(place, this.validator.world.nowMs);
      this.obligations.onNullify(message);
    }
    this.#count(message, this.validator.index);
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

  /** The kind of the first certificate of a view in this process; undefined if it has none. */
  firstKindAt(epoch: number, view: number): VoteMessage['kind'] | undefined {
    return this.#certified.get(`${epoch}/${view}`)?.kind;
  }

  /** The leader's vote of a view that the process surely keeps. */
  proposalOf(epoch: number, view: number): Vote | undefined {
    const leader = this.validator.world.leaderOf(epoch, view);
    const first = this.#firstVotes.get(`notarize ${epoch}/${view} ${leader}`);
    return first?.isKept === true ? first.vote : undefined;
  }

  /** When the process got its first certificate of a kind and view; infinite if it has none. */
  hasSinceMs({ kind, epoch, view }: Pick<VoteMessage, 'kind' | 'epoch' | 'view'>): number {
    return this.#certifiedKinds.get(`${kind} ${epoch}/${view}`) ?? Number.POSITIVE_INFINITY;
  }

  /** Whether a certificate that the process has checked could not be of use: of a former epoch, or had for long. */
  isUseless(certificate: Certificate): boolean {
    const { kind, epoch } = certificate;
    const beforeMs = this.validator.world.nowMs - CHECKED_MS;
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

  /** Whether the process has a certificate of this kind in this view. */
  hasCertificate({ kind, epoch, view }: VoteMessage): boolean {
    return this.#certifiedKinds.has(`${kind} ${epoch}/${view}`);
  }

  /** Counts a vote that the process surely keeps. */
  #count(message: VoteMessage, signer: number): void {
    const { quorum } = this.validator.world;
    const name = nameOf(message);
    const signers = this.#tallies.get(name) ?? new Set();
    this.#tallies.set(name, signers);
    if (signers.has(signer)) return;
    signers.add(signer);
    if (signers.size === quorum && this.isReady && message.view >= this.view)
      this.obligations.onQuorum(message);
  }
  readonly #tallies = new Map<string, Set<number>>();

  #onPush(from: number, { vote, block }: Extract<PeerMessage, { readonly type: 'proposal' }>): void {
    const { world } = this.validator;
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
    const { validator } = this;
    const { world } = validator;
    const { kind, epoch, view, signer } = vote;
    if (signer === validator.index && from !== signer) {
      if (world.keys.isSigned(vote)) this.#onReturned(vote);
      return;
    }
    if (signer !== from) return;
    const place = `${epoch}/${view}`;
    if (epoch < this.epoch && this.isReady) this.obligations.onOldMessage(from);
    if (!world.keys.isSigned(vote)) return;
    // A vote of a later view counts as one of the current view.
    if (epoch === this.epoch)
      this.#lastVotes.push({ signer, view: Math.min(view, this.view), atMs: world.nowMs });
    if (kind === 'nullify') {
      const nullifiers = this.#nullifiers.get(place);
      if (nullifiers === undefined) this.#nullifiers.set(place, new Set([signer]));
      else nullifiers.add(signer);
    }
    if (kind === 'notarize' && signer === world.leaderOf(epoch, view)) {
      const proposals = this.#proposals.get(place);
      const proposal = { message: vote, atMs: world.nowMs };
      if (proposals === undefined) this.#proposals.set(place, [proposal]);
      else proposals.push(proposal);
    }
    this.#compare(vote);
    const isCurrent = this.isVoting && epoch === this.epoch && view === this.view;
    if (isCurrent && kind === 'nullify') {
      const others = [...(this.#tallies.get(nameOf(vote)) ?? [])].filter((one) => one !== validator.index);
      if (others.length > world.faults) this.#listener.onNullifiers(this, view);
    }
  }

  /** Notes a vote, and expects evidence of two that contradict each other. */
  #compare(vote: Vote): void {
    const { world } = this.validator;
    const { kind, epoch, view, signer } = vote;
    const slot = (of: string) => `${of} ${epoch}/${view} ${signer}`;
    const isKept =
      this.isReady &&
      epoch === this.epoch &&
      view >= this.view &&
      view <= this.view + SURE_WINDOW &&
      view > this.#finalizedView &&
      vote.parentView < view &&
      world.keys.isPartial(vote, signer, vote.partial);
    const first = this.#firstVotes.get(slot(kind));
    if (first === undefined) this.#firstVotes.set(slot(kind), { vote, isKept });
    if (!isKept) return;
    if (first === undefined) this.#count(vote, signer);
    const isConflict = (other: Received | undefined) =>
      other?.isKept === true && nameOf(other.vote) !== nameOf(vote);
    const opposite = kind === 'notarize' ? undefined : kind === 'nullify' ? 'finalize' : 'nullify';
    const other = opposite === undefined ? undefined : this.#firstVotes.get(slot(opposite));
    if (isConflict(first) || (first === undefined && isConflict(other)))
      this.#listener.onConflict(this, vote);
  }
}
