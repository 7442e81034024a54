import { type EpochState, VIEW_WINDOW } from './epoch-state.js';
import type { BlockHash, JournalEntry, Vote, VoteMessage } from './types.js';
import type { ViewRecord } from './view-record.js';
import type { Tally } from './vote-slots.js';

/** Casts a vote: journals it (rule 7), a notarize after its block, sends it, and counts it. @param push a block to send */
export function castVote(state: EpochState, message: VoteMessage, push?: BlockHash): void {
  const entries: JournalEntry[] = [];
  const block = message.kind === 'notarize' ? state.blocks.get(message.hash) : undefined;
  if (block !== undefined && !block.journaled) {
    block.journaled = true;
    entries.push({ type: 'block', block: block.facts, view: message.view });
  }
  entries.push({ type: 'vote', message });
  state.journal(...entries);
  const record = state.record(message.view);
  record.own[message.kind] = message;
  state.emit({ type: 'send_vote', message, block: push, to: undefined });
  countOwn(state, record, message);
}

/** Casts `nullify` for the current view, once (rule 4). */
export function castNullify(state: EpochState): void {
  const record = state.record(state.view);
  if (!state.voting || record.own.nullify !== undefined) return;
  // A peer has returned this node's finalize vote of this view; the notarization behind it has been lost.
  if (record.own.finalize !== undefined) return;
  state.abandonProposal();
  castVote(state, state.message('nullify', state.view));
}

/** True if a vote of this node that a peer sent back is relevant and unknown here. */
export function isLostOwnVote(state: EpochState, { kind, epoch, view }: VoteMessage): boolean {
  if (epoch !== state.epoch || state.ended || !state.rules.honorsJournaledVotes) return false;
  if (view <= state.finalizedView || view > state.view + VIEW_WINDOW) return false;
  return state.records.get(view)?.own[kind] === undefined;
}

/** Restores a vote that this node cast and has forgotten, so that it never casts a conflicting one. */
export function restoreOwnVote(state: EpochState, message: VoteMessage): void {
  if (!isLostOwnVote(state, message)) return;
  const { kind, epoch, view, parentView, hash } = message;
  const own = { kind, epoch, view, parentView, hash };
  const record = state.record(view);
  state.journal({ type: 'vote', message: own });
  record.own[kind] = own;
  if (kind === 'notarize' && state.leaderOf(view) === state.self) record.proposal ??= own;
  countOwn(state, record, own);
}

/** Ends listening: the node may vote from now on, so the current view is evaluated again. */
export function endListening(state: EpochState): void {
  if (!state.listening) return;
  state.listening = false;
  state.isProposalDue = false;
}

export function countOwn(state: EpochState, record: ViewRecord, message: VoteMessage): void {
  state.peers.noteVote(state.self, message.view);
  certify(state, record, record.votes(message.kind).addOwn(message));
}

/** True if a vote would be counted, or reported as evidence. */
export function isNewVote(state: EpochState, vote: VoteMessage & Pick<Vote, 'signer'>): boolean {
  const record = state.records.get(vote.view);
  if (record === undefined) return true;
  return record.votes(vote.kind).admits(vote) && !record.isReported(vote.signer, vote.kind);
}

/** Counts a vote and reports evidence if it conflicts with another. */
export function countVote(state: EpochState, vote: Vote): 'counted' | 'repeated' {
  const record = state.record(vote.view);
  const added = record.votes(vote.kind).add(vote);
  if (added === 'refused') return 'counted';
  if (added === 'repeated') return 'repeated';
  if ('conflictsWith' in added) {
    report(state, record, added.conflictsWith, vote);
    return 'counted';
  }
  if (vote.kind !== 'notarize') {
    // An honest validator never signs both in one view (rules 4 and 5).
    const other = record.votes(vote.kind === 'nullify' ? 'finalize' : 'nullify').voteOf(vote.signer);
    if (other !== undefined) report(state, record, other, vote);
  }
  // The slots have let through only the first vote.
  if (vote.kind === 'notarize' && vote.signer === state.leaderOf(vote.view)) record.proposal = vote;
  certify(state, record, added);
  return 'counted';
}

/** Discards votes with invalid signatures and retries the certificate with the rest. */
export function discardInvalidVotes(
  state: EpochState,
  message: VoteMessage,
  signers: readonly number[],
): void {
  const record = state.records.get(message.view);
  const tally = record?.votes(message.kind).discardInvalid(message, signers);
  const peers = signers.filter((signer) => signer !== state.self);
  if (peers.length > 0) state.emit({ type: 'drop_peers', peers });
  if (record !== undefined && tally !== undefined) certify(state, record, tally);
}

function certify(state: EpochState, record: ViewRecord, tally: Tally): void {
  if (tally.assembling || tally.votes.length + (tally.own ? 1 : 0) < state.quorum) return;
  const { kind } = tally.message;
  if (kind === 'notarize' && record.notarization !== undefined) return;
  if (kind === 'nullify' && record.nullification !== undefined) return;
  tally.assembling = true;
  state.emit({ type: 'assemble', message: tally.message, votes: [...tally.votes], own: tally.own });
}

function report(state: EpochState, record: ViewRecord, first: Vote, second: Vote): void {
  if (!record.markReported(second.signer, second.kind)) return;
  state.emit({ type: 'evidence', first, second });
}
