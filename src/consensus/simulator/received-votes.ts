import type { Vote, VoteMessage } from '../core/types.js';
import { nameOf } from './model.js';
import type { Obligations, WatchedProcess } from './obligations.js';

/** Views above the current one in which votes are surely kept. */
export const SURE_WINDOW = 8;

interface Received {
  readonly vote: Vote;
  /** Whether the process surely keeps it. */
  readonly isKept: boolean;
}

/** The votes that one process of an honest validator has received, and those of them that it surely keeps. */
export class ReceivedVotes {
  readonly #process: WatchedProcess;
  readonly #obligations: Obligations;
  readonly #nullifiers = new Map<string, Set<number>>();
  readonly #proposals = new Map<string, { readonly message: VoteMessage; readonly atMs: number }[]>();
  #lastVotes: { readonly signer: number; readonly view: number; readonly atMs: number }[] = [];
  /** The first vote of each signer, kind and view. */
  readonly #firstVotes = new Map<string, Received>();
  /** Signers of each vote that the process surely keeps, by its name. */
  readonly #tallies = new Map<string, Set<number>>();

  constructor(process: WatchedProcess, obligations: Obligations) {
    this.#process = process;
    this.#obligations = obligations;
  }

  /** Number of others whose nullify has arrived. */
  nullifiers(epoch: number, view: number): number {
    return this.#nullifiers.get(`${epoch}/${view}`)?.size ?? 0;
  }

  /** The leader's notarize votes of a view that have arrived. */
  proposals(epoch: number, view: number) {
    return this.#proposals.get(`${epoch}/${view}`) ?? [];
  }

  /** The leader's vote of a view that the process surely keeps. */
  proposalOf(epoch: number, view: number): Vote | undefined {
    const leader = this.#process.validator.world.leaderOf(epoch, view);
    const first = this.#firstVotes.get(`notarize ${epoch}/${view} ${leader}`);
    return first?.isKept === true ? first.vote : undefined;
  }

  /** The highest view of this epoch in which a vote of a validator has arrived before a time. */
  lastVote(of: number, beforeMs: number): number {
    let last = 0;
    for (const { signer, view, atMs } of this.#lastVotes)
      if (signer === of && atMs < beforeMs) last = Math.max(last, view);
    return last;
  }

  /** Names of votes of a peer that are surely kept. */
  namesOf(peer: number): readonly string[] {
    const { epoch, view } = this.#process;
    const names: string[] = [];
    for (const { vote, isKept } of this.#firstVotes.values())
      if (isKept && vote.signer === peer && vote.epoch === epoch && vote.view >= view)
        names.push(nameOf(vote));
    return names;
  }

  onEpoch(): void {
    this.#lastVotes = [];
  }

  /** Notes a vote with a valid identity signature, sent by its signer. */
  onVote(vote: Vote): void {
    const { validator, epoch: current, view: currentView } = this.#process;
    const { world } = validator;
    const { kind, epoch, view, signer } = vote;
    const place = `${epoch}/${view}`;
    // A vote of a later view counts as one of the current view.
    if (epoch === current)
      this.#lastVotes.push({ signer, view: Math.min(view, currentView), atMs: world.nowMs });
    if (kind === 'nullify')
      this.#nullifiers.set(place, (this.#nullifiers.get(place) ?? new Set()).add(signer));
    if (kind === 'notarize' && signer === world.leaderOf(epoch, view)) {
      const proposal = { message: vote, atMs: world.nowMs };
      this.#proposals.set(place, [...this.proposals(epoch, view), proposal]);
    }
    this.#compare(vote);
    if (kind !== 'nullify' || !this.#process.isVoting || epoch !== current || view !== currentView) return;
    const others = [...(this.#tallies.get(nameOf(vote)) ?? [])].filter((one) => one !== validator.index);
    if (others.length > world.faults) this.#obligations.onNullifiers(view);
  }

  /** Counts a vote that the process surely keeps. */
  count(message: VoteMessage, signer: number): void {
    const { validator, isReady, view } = this.#process;
    const name = nameOf(message);
    const signers = this.#tallies.get(name) ?? new Set();
    this.#tallies.set(name, signers);
    if (signers.has(signer)) return;
    signers.add(signer);
    if (signers.size === validator.world.quorum && isReady && message.view >= view)
      this.#obligations.onQuorum(message);
  }

  /** Notes a vote, and expects evidence of two that contradict each other. */
  #compare(vote: Vote): void {
    const { validator, isReady, epoch: current, view: currentView, finalizedView } = this.#process;
    const { kind, epoch, view, signer } = vote;
    const slot = (of: string) => `${of} ${epoch}/${view} ${signer}`;
    const isKept =
      isReady &&
      epoch === current &&
      view >= currentView &&
      view <= currentView + SURE_WINDOW &&
      view > finalizedView &&
      vote.parentView < view &&
      validator.world.keys.isPartial(vote, signer, vote.partial);
    const first = this.#firstVotes.get(slot(kind));
    if (first === undefined) this.#firstVotes.set(slot(kind), { vote, isKept });
    if (!isKept) return;
    if (first === undefined) this.count(vote, signer);
    const isConflict = (other: Received | undefined) =>
      other?.isKept === true && nameOf(other.vote) !== nameOf(vote);
    const opposite = kind === 'notarize' ? undefined : kind === 'nullify' ? 'finalize' : 'nullify';
    const other = opposite === undefined ? undefined : this.#firstVotes.get(slot(opposite));
    if (isConflict(first) || (first === undefined && isConflict(other))) this.#obligations.onConflict(vote);
  }
}
