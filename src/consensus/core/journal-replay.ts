import { applyCertificate, noteNotarized } from './certificates.js';
import type { EpochState } from './epoch-state.js';
import { type Certificate, type EpochSetup, type JournalEntry, placeOf, type VoteMessage } from './types.js';
import { countOwn } from './voting.js';

/** Restores an earlier process's state (rule 7), without signing, journaling or sending anything again. */
export function replay(state: EpochState, setup: EpochSetup, journal: readonly JournalEntry[]): void {
  const entries = journal.filter((entry) => placeOf(entry).epoch === state.epoch);
  const { finalization } = setup;
  if (finalization?.epoch === state.epoch) applyCertificate(state, finalization, false);
  for (const entry of entries) {
    if (entry.type === 'certificate') replayCertificate(state, entry.certificate);
    else if (entry.type === 'block') replayBlock(state, entry.block);
  }
  // Discards the effects: everything is already in the journal or the chain, and no peer is connected.
  state.effects = [];
  if (!state.rules.honorsJournaledVotes) return;
  for (const entry of entries) if (entry.type === 'vote') replayVote(state, entry.message);
}

function replayCertificate(state: EpochState, certificate: Certificate): void {
  const { kind, view } = certificate;
  if (kind === 'finalize') {
    applyCertificate(state, certificate, false);
    return;
  }
  if (view <= state.finalizedView) return;
  const record = state.record(view);
  if (kind === 'notarize') {
    record.notarization = certificate;
    noteNotarized(state, certificate);
  } else {
    record.nullification = certificate;
  }
  if (view >= state.view) state.enterView(view + 1, certificate);
}

function replayBlock(state: EpochState, block: BlockEntry): void {
  if (block.height <= state.committed.height || state.blocks.get(block.hash) !== undefined) return;
  // The execution result was lost in the restart: the block is verified again before anything builds on it.
  state.blocks.add(block, 'held', true);
}

type BlockEntry = Extract<JournalEntry, { type: 'block' }>['block'];

function replayVote(state: EpochState, message: VoteMessage): void {
  if (message.view <= state.finalizedView) return;
  const record = state.record(message.view);
  record.own[message.kind] = message;
  if (message.kind === 'notarize' && state.leaderOf(message.view) === state.self) record.proposal = message;
  countOwn(state, record, message);
}
