import { BlockIndex } from './block-index.js';
import { PeerStates } from './peer-states.js';
import { PendingRequests } from './pending-requests.js';
import { maxFaulty, type Rules } from './rules.js';
import { RunningTimers } from './running-timers.js';
import {
  type BlockFacts,
  type BlockHash,
  type Certificate,
  type CoreConfig,
  type Counters,
  type Effect,
  type EpochSetup,
  type JournalEntry,
  NO_BLOCK,
  type VoteMessage,
  type VoteName,
  type Work,
} from './types.js';
import { ViewRecord } from './view-record.js';

/** Number of views above the current one whose votes are kept, and below it for finalize votes (rule 6). */
export const VIEW_WINDOW = 16;

/** The core's state for one epoch; the other files in this folder operate on it. */
export class EpochState {
  readonly config: CoreConfig;
  readonly rules: Rules;
  readonly counters: Counters;
  /** Timers belong to the process: the next epoch cancels those of the previous one. */
  readonly timers = new RunningTimers();
  readonly blocks = new BlockIndex();
  readonly requests = new PendingRequests();
  readonly peers: PeerStates;
  /** Records by view, above the last finalized view. */
  readonly records = new Map<number, ViewRecord>();

  readonly epoch: number;
  readonly validators: number;
  readonly self: number;
  readonly faults: number;
  readonly quorum: number;

  /** Drained by each step. */
  effects: Effect[] = [];
  nowMs: number;
  stepCount = 0;

  /** Whether rules 8 and 9 let this node vote. */
  mayVote: boolean;
  listening: boolean;
  diverged = false;
  /** Whether the epoch's last block was emitted for commit. */
  ended = false;

  view = 1;
  /** The certificate that ended the previous view; undefined in the first view. */
  enteredBy: Certificate | undefined;
  /** Whether the proposal of this view is due and its timers have started. */
  isProposalDue = false;
  /** Time at which the proposal of this view became due, once it is. */
  dueMs = 0;
  /** Earliest time of the next proposal, set when a proposal could not be made. */
  notBeforeMs = 0;

  finalizedView = 0;
  finalizedHash: BlockHash;
  /** The highest finalization of this epoch. */
  finalization: Certificate | undefined;
  /** The last block emitted for commit. */
  committed: BlockFacts;
  /** Finalization views of commits in flight, by the hash of their last block. */
  readonly committing = new Map<BlockHash, number>();
  /** The block that the shell was told to sync to. */
  fellBehindTo: BlockHash | undefined;
  /** View of the highest notarized or finalized block; `parentArrivedMs` is when its certificate arrived. */
  notarizedView = 0;
  parentArrivedMs: number;
  work: Work = { transactions: false, other: false };
  /** Votes of views below this one have been dropped. */
  #votesFrom = 1;

  constructor(
    config: CoreConfig,
    rules: Rules,
    counters: Counters,
    setup: EpochSetup,
    nowMs: number,
    parentArrivedMs: number,
  ) {
    this.config = config;
    this.rules = rules;
    this.counters = counters;
    this.epoch = setup.epoch;
    this.validators = setup.validators;
    this.self = setup.self;
    this.faults = maxFaulty(setup.validators);
    this.quorum = rules.quorum(setup.validators);
    this.mayVote = setup.mayVote && setup.self >= 0;
    this.listening = setup.listens ?? false;
    this.nowMs = nowMs;
    this.parentArrivedMs = parentArrivedMs;
    this.committed = setup.committed;
    this.finalizedHash = setup.committed.hash;
    this.peers = new PeerStates(setup.validators, setup.self, setup.connected);
  }

  get voting(): boolean {
    return this.mayVote && !this.listening;
  }

  get leader(): number {
    return this.leaderOf(this.view);
  }

  leaderOf(view: number): number {
    return this.rules.leader(view, this.epoch, this.validators);
  }

  record(view: number): ViewRecord {
    let record = this.records.get(view);
    if (record === undefined) {
      record = new ViewRecord(view, this.validators);
      this.records.set(view, record);
    }
    return record;
  }

  /** Δ_k of the current view (rule 1). */
  deltaMs(): number {
    return this.rules.delta(this.config.deltaMs, this.view, this.finalizedView, this.faults);
  }

  message(kind: VoteName, view: number, parentView = 0, hash = NO_BLOCK): VoteMessage {
    return { kind, epoch: this.epoch, view, parentView, hash };
  }

  emit(effect: Effect): void {
    this.effects.push(effect);
  }

  journal(...entries: JournalEntry[]): void {
    const last = this.effects.at(-1);
    if (last?.type === 'journal') {
      this.effects[this.effects.length - 1] = { type: 'journal', entries: [...last.entries, ...entries] };
    } else {
      this.effects.push({ type: 'journal', entries });
    }
  }

  /** Hash of the block notarized or finalized in a view at or above the last finalized one. */
  hashAt(view: number): BlockHash | undefined {
    if (view === this.finalizedView) return this.finalizedHash;
    return this.records.get(view)?.notarization?.hash;
  }

  isLastOfEpoch(block: BlockFacts): boolean {
    return this.rules.isLastOfEpoch(block.height, this.epoch, this.config.epochLength);
  }

  /** Enters a higher view and drops votes below the vote window. */
  enterView(view: number, by: Certificate): void {
    this.abandonProposal();
    this.view = view;
    this.enteredBy = by;
    this.isProposalDue = false;
    this.notBeforeMs = 0;
    for (const timer of ['leader', 'advance', 'resend'] as const) this.timers.cancel(timer, this.effects);
    this.#pruneVotesBelow(view - VIEW_WINDOW);
  }

  /** Stops building a proposal of the current view that is of no use any more. */
  abandonProposal(): void {
    const record = this.records.get(this.view);
    if (record?.proposing !== true || record.own.notarize !== undefined) return;
    record.proposing = false;
    this.emit({ type: 'abandon', what: 'proposal' });
  }

  /** Drops all records up to a finalized view. */
  pruneViews(view: number): void {
    for (const one of this.records.keys()) if (one <= view) this.records.delete(one);
  }

  #pruneVotesBelow(view: number): void {
    if (view - this.#votesFrom > this.records.size) {
      for (const record of this.records.values()) if (record.view < view) record.dropVotes();
    } else {
      for (let one = this.#votesFrom; one < view; one++) this.records.get(one)?.dropVotes();
    }
    this.#votesFrom = Math.max(this.#votesFrom, view);
  }
}
