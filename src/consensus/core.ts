/**
 * Simplex consensus among n validators, of which f = ⌊(n − 1) / 3⌋ may be Byzantine.
 *
 * Source: Benjamin Y. Chan and Rafael Pass, "Simplex Consensus: A Simple and Fast Consensus Protocol" (eprint
 * 2023/463). The refinements are those documented by Commonware's `consensus::simplex`: notarizations and
 * nullifications are relayed as certificates, leader and view have timers, f + 1 nullify votes trigger an early
 * nullify, and silent leaders are skipped.
 *
 * In each view one leader proposes a block. q = n − f votes make a certificate: a *notarization* of the block, or a
 * *nullification* of a view without progress. Either ends the view. A validator that ends a view by a notarization
 * without having nullified it votes to *finalize*; q of these votes make the block and all its ancestors final. A
 * view cannot have both a finalization and a nullification: two quorums share an honest validator, and it signs only
 * one of the two. So every later block descends from a final one, because its proposer must show nullifications of
 * all views that it skips.
 *
 * **The rules.** v is the node's current view, e its epoch. Views count from 1 in each epoch; view 0 is the epoch's
 * first parent, which is final.
 *
 * 1. *Entering v.* The leader is validator (v + e) mod n. Δ_k = min(Δ · 2^max(0, k − f), 16 s) with k = v − 1 − (last
 *    finalized view). The leader timer (2Δ_k) and the advance timer (3Δ_k) start when a proposal is due: a block time
 *    after the local arrival of the parent's notarization if there is work, otherwise an idle block time after it (0:
 *    when work appears). A received proposal counts as due. Work is what the shell reports (ready transactions,
 *    unopened envelopes, this node's dealing) and any notarized block that is not final. If the leader sent no vote
 *    in the last 3n views while q others did, both timers fire as soon as they start.
 * 2. *Proposing.* The parent is the highest notarized block for which this node holds nullifications of all later
 *    views up to v − 1. A leader that lacks the key of a due height waits for it until Δ_k after its proposal is due:
 *    without the key its block would have no transactions.
 * 3. *notarize(b, v)* is signed only in v, for the leader's first proposal in v, before nullify(v), holding a
 *    notarization or finalization at its parent view (not below the last finalized view) and nullifications of every
 *    view strictly between, and after the block was verified as valid. Missing certificates and blocks are requested
 *    from the leader, then from others.
 * 4. *nullify(v)* is signed when a timer fires, at f + 1 nullify(v) of others, or when the proposal is invalid. It
 *    excludes notarize and finalize in v from then on.
 * 5. *q notarize*: the notarization is broadcast, v + 1 entered, finalize(b, v) signed unless nullify(v) was. *q
 *    nullify*: the nullification is broadcast, v + 1 entered. *q finalize*: b and its ancestors are final and
 *    committed in order.
 * 6. *Catching up.* A valid certificate for w ≥ v, from any peer, moves the node to w + 1. On connecting, and on a
 *    message of an older view or a repeated one of this view (at most once a second per peer), a node sends its last
 *    finalization and the certificate by which it entered its view. Requests below the last finalized view are
 *    answered with that finalization. A node stuck in v after nullify(v) sends these certificates and its nullify
 *    every second. Votes are kept for v to v + 16, one per signer, kind and view; finalize votes also for v − 16 to
 *    v − 1, since they arrive after v has ended. Two conflicting votes of one validator are evidence, even if they
 *    differ only in the parent view; 32 pairs of a validator are kept.
 * 7. *Journal*, synced before the effect: (a) the block before its notarize; (b) every vote before it is sent; (c)
 *    every certificate before it is acted on. Entries stay until a finalization above them is committed. A restarted
 *    node enters the view after the highest certificate, restores its blocks, and repeats its votes but never changes
 *    one.
 * 8. *Verdicts are objective.* Clock, time limits and load only withhold a verdict, and the clock does not apply to
 *    notarized blocks. A notarized block that is invalid here ends this node's voting, and is reported.
 * 9. *Amnesia.* A node that may have forgotten votes (`EpochSetup.mayVote`) follows and signs nothing. A starting
 *    node signs nothing new before q − 1 others have reported their position (`EpochSetup.listens`). A peer that
 *    connects is sent its own votes that are kept here and restores those that it lacks, so it repeats itself even if
 *    its whole disk was reset to an earlier state.
 * 10. *The end of an epoch.* Epoch e ends with its block of height (e + 1) · L. Once that block is notarized, later
 *    leaders propose only it (parent view: where it was notarized) until it is final. e + 1 is entered with that
 *    finalization alone, and a node in e + 1 answers any message of e with it.
 *
 * With n = q = 1 the same code runs: no peers need timers, and the node's own vote makes each certificate at once.
 *
 * The core is a state machine without I/O, clock or randomness, so that `simulator/` can run all of it;
 * `core/types.ts` is its interface. `core/rules.ts` holds the rules that are formulas, `core/react.ts` the order in
 * which rules are applied.
 */

import { applyCertificate, isNewCertificate } from './core/certificates.js';
import { EpochState, VIEW_WINDOW } from './core/epoch-state.js';
import { evict } from './core/eviction.js';
import { endVoting, noteCommitted, noteSynced } from './core/finality.js';
import { replay } from './core/journal-replay.js';
import { REBROADCAST_INTERVAL_MS } from './core/pacemaker.js';
import {
  onCertificatesRequested,
  onPeerConnected,
  onPeerMessage,
  onRepeatedVote,
  rebroadcastWhenStuck,
} from './core/peer-sync.js';
import { onBlockNotProposed, onBlockProposed } from './core/proposals.js';
import { react } from './core/react.js';
import { retryRequests } from './core/requests.js';
import { RULES, type Rules } from './core/rules.js';
import type {
  BlockFacts,
  Certificate,
  ConsensusCore,
  CoreConfig,
  CoreEvent,
  CoreStatus,
  Counters,
  Effect,
  TimerName,
  Vote,
  VoteMessage,
} from './core/types.js';
import {
  castNullify,
  countVote,
  discardInvalidVotes,
  endListening,
  isLostOwnVote,
  isNewVote,
  restoreOwnVote,
} from './core/voting.js';

const NOTHING: readonly Effect[] = [];

type StartEvent = Extract<CoreEvent, { type: 'start' }>;

/** @param rules differ from {@link RULES} only in tests that show what a rule is for */
export function createCore(config: CoreConfig, rules: Rules = RULES): ConsensusCore {
  return new Core(config, rules);
}

class Core implements ConsensusCore {
  readonly #config: CoreConfig;
  readonly #rules: Rules;
  readonly #counters: Counters = {
    proposals: 0,
    notarizations: 0,
    nullifications: 0,
    finalizations: 0,
    timeouts: 0,
  };
  #state: EpochState | undefined;

  constructor(config: CoreConfig, rules: Rules) {
    this.#config = config;
    this.#rules = rules;
  }

  get ended(): boolean {
    return this.#state?.ended ?? false;
  }

  step(event: CoreEvent): readonly Effect[] {
    if (event.type === 'start') return this.#start(event);
    const state = this.#state;
    if (state === undefined) return NOTHING;
    state.nowMs = event.nowMs;
    state.stepCount++;
    const follows = handle(state, event);
    if (follows !== 'nothing') react(state);
    if (follows === 'retries') retryRequests(state);
    return drainEffects(state);
  }

  wantsCertificate(message: VoteMessage): boolean {
    const state = this.#state;
    return (
      state !== undefined && !state.ended && message.epoch === state.epoch && isNewCertificate(state, message)
    );
  }

  wantsVote(vote: VoteMessage & { readonly signer: number }): boolean {
    const state = this.#state;
    return state !== undefined && !state.ended && isKept(state, vote) && isNewVote(state, vote);
  }

  wantsOwnVote(vote: VoteMessage): boolean {
    return this.#state !== undefined && isLostOwnVote(this.#state, vote);
  }

  wantsBlock(block: Pick<BlockFacts, 'hash' | 'epoch' | 'view'>, from: number): boolean {
    return this.#state !== undefined && !this.#state.ended && wantsBlock(this.#state, block, from);
  }

  status(): CoreStatus {
    const state = this.#state;
    return {
      epoch: state?.epoch ?? 0,
      view: state?.view ?? 0,
      leader: state?.leader ?? 0,
      finalizedView: state?.finalizedView ?? 0,
      voting: state?.voting ?? false,
      diverged: state?.diverged ?? false,
      ...this.#counters,
    };
  }

  #start({ nowMs, setup, journal }: StartEvent): readonly Effect[] {
    const before = this.#state;
    const effects: Effect[] = [];
    before?.timers.cancelAll(effects);
    const left = [...(before?.blocks.values() ?? [])].map(({ facts }) => facts.hash);
    if (left.length > 0) effects.push({ type: 'drop_blocks', hashes: left });
    // An epoch's last block is the parent of the next epoch's first.
    const parentArrivedMs = before?.ended === true ? before.parentArrivedMs : nowMs;
    const state = new EpochState(this.#config, this.#rules, this.#counters, setup, nowMs, parentArrivedMs);
    state.diverged = before?.diverged ?? false;
    if (state.diverged) state.mayVote = false;
    if (before !== undefined) state.work = before.work;
    this.#state = state;
    replay(state, setup, journal);
    react(state);
    effects.push(...drainEffects(state));
    return effects;
  }
}

function drainEffects(state: EpochState): readonly Effect[] {
  if (state.effects.length === 0) return NOTHING;
  const { effects } = state;
  state.effects = [];
  return effects;
}

/** Follow-up work: most votes need none, which makes simulated runs fast (bench: `simulate-consensus`). */
type FollowUp = 'nothing' | 'reactions' | 'retries';

function handle(state: EpochState, event: Exclude<CoreEvent, StartEvent>): FollowUp {
  switch (event.type) {
    case 'connected':
      if (state.peers.setConnected(event.peer, true)) onPeerConnected(state, event.peer);
      return 'reactions';
    case 'disconnected':
      state.peers.setConnected(event.peer, false);
      return 'reactions';
    case 'vote':
      return onVote(state, event.vote);
    case 'own_vote':
      restoreOwnVote(state, event.message);
      return 'reactions';
    case 'listened':
      endListening(state);
      return 'reactions';
    case 'certificate':
      onPeerCertificate(state, event.certificate, event.from);
      return 'reactions';
    case 'heard':
      onPeerMessage(state, event.from, event.message);
      return 'nothing';
    case 'block':
      onBlock(state, event.block, event.from);
      return 'reactions';
    case 'certificates_requested':
      onCertificatesRequested(state, event.peer, event);
      return 'nothing';
    case 'assembled':
      if (event.message.epoch === state.epoch && !state.ended)
        applyCertificate(state, { ...event.message, signature: event.signature }, true);
      return 'reactions';
    case 'bad_partials':
      // After an epoch ends, indices may refer to the next epoch's set.
      if (event.message.epoch === state.epoch && !state.ended)
        discardInvalidVotes(state, event.message, event.signers);
      return 'reactions';
    case 'timer':
      return onTimer(state, event.timer);
    case 'work':
      state.work = event.work;
      return 'reactions';
    case 'proposed':
      onBlockProposed(state, event.block);
      return 'reactions';
    case 'not_proposed':
      if (event.epoch === state.epoch) onBlockNotProposed(state, event.view);
      return 'reactions';
    case 'verdict':
      onVerdict(state, event);
      return 'reactions';
    case 'committed':
      noteCommitted(state, event.hash);
      return 'reactions';
    case 'synced':
      if (event.finalization.epoch === state.epoch) applyCertificate(state, event.finalization, false);
      noteSynced(state, event.committed);
      return 'reactions';
    case 'sync_refuted':
      endVoting(state);
      return 'nothing';
  }
}

/** Rule 6: true if a vote is kept. */
function isKept(state: EpochState, { kind, epoch, view, signer }: VoteMessage & { signer: number }): boolean {
  if (epoch !== state.epoch || view <= state.finalizedView || view > state.view + VIEW_WINDOW) return false;
  if (signer === state.self || !Number.isInteger(signer) || signer < 0 || signer >= state.validators)
    return false;
  return view >= state.view || (kind === 'finalize' && view >= state.view - VIEW_WINDOW);
}

function onVote(state: EpochState, vote: Vote): FollowUp {
  if (vote.epoch === state.epoch) state.peers.noteVote(vote.signer, Math.min(vote.view, state.view));
  onPeerMessage(state, vote.signer, vote);
  if (state.ended || !isKept(state, vote)) return 'nothing';
  if (countVote(state, vote) === 'repeated') onRepeatedVote(state, vote.signer, vote);
  // Only the leader's vote and enough nullify votes can trigger reactions by themselves; certificates arrive as events.
  const leads = vote.kind === 'nullify' || vote.signer === state.leader;
  return leads && vote.view === state.view ? 'reactions' : 'nothing';
}

function onPeerCertificate(state: EpochState, certificate: Certificate, from: number): void {
  if (certificate.epoch === state.epoch && !state.ended) applyCertificate(state, certificate, false);
  onPeerMessage(state, from, certificate);
}

/** True for a requested block, or the first that a leader pushes for its view. */
function wantsBlock(
  state: EpochState,
  { hash, epoch, view }: Pick<BlockFacts, 'hash' | 'epoch' | 'view'>,
  from: number,
): boolean {
  if (state.requests.hasBlock(hash)) return true;
  if (epoch !== state.epoch || view < state.view || view > state.view + VIEW_WINDOW) return false;
  return (
    from === state.leaderOf(view) && !state.blocks.wasPushed(view) && state.blocks.get(hash) === undefined
  );
}

function onBlock(state: EpochState, block: BlockFacts, from: number): void {
  if (state.blocks.get(block.hash) !== undefined) return;
  if (state.ended || !wantsBlock(state, block, from)) {
    state.emit({ type: 'drop_blocks', hashes: [block.hash] });
    return;
  }
  if (!state.requests.hasBlock(block.hash)) state.blocks.notePush(block.view);
  state.requests.blockReceived(block.hash);
  state.blocks.add(block, 'held');
  evict(state);
}

function onVerdict(state: EpochState, event: Extract<CoreEvent, { type: 'verdict' }>): void {
  const record = state.blocks.get(event.hash);
  if (record?.status !== 'verifying') return;
  if (event.verdict === 'withheld') {
    record.status = 'held';
    record.retryAtMs = state.nowMs + event.retryMs;
  } else {
    record.status = event.verdict;
    evict(state);
  }
}

function onTimer(state: EpochState, timer: TimerName): FollowUp {
  if (!state.timers.fire(timer, state.nowMs)) return 'nothing';
  if (timer === 'leader' || timer === 'advance') {
    state.counters.timeouts++;
    castNullify(state);
    // A node that does not vote has no other way to signal that it is stuck.
    if (!state.timers.isRunning('resend'))
      state.timers.set('resend', state.nowMs + REBROADCAST_INTERVAL_MS, state.effects);
  }
  if (timer === 'resend') rebroadcastWhenStuck(state);
  return timer === 'request' ? 'retries' : 'reactions';
}
