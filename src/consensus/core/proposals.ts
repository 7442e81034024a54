import type { EpochState } from './epoch-state.js';
import { diverge } from './finality.js';
import { factsOf, readiness } from './readiness.js';
import { requestBlock, requestCertificates } from './requests.js';
import type { ProposalVerdict } from './rules.js';
import type { BlockFacts, BlockHash, VoteMessage } from './types.js';
import type { ViewRecord } from './view-record.js';
import { castNullify, castVote } from './voting.js';

/** Votes for the leader's proposal once its dependencies have arrived (rule 3), or against it (rule 4). */
export function evaluateProposal(state: EpochState): void {
  const record = state.records.get(state.view);
  const proposal = record?.proposal;
  if (record === undefined || proposal === undefined || record.own.notarize !== undefined) return;
  if (!state.voting || record.refused || state.leader === state.self) return;
  const verdict = judge(state, record, proposal);
  const { view, parentView, hash } = proposal;
  if (verdict === 'sound') castVote(state, state.message('notarize', view, parentView, hash));
  if (verdict !== 'refused') return;
  record.refused = true;
  castNullify(state);
}

function judge(state: EpochState, record: ViewRecord, proposal: VoteMessage): ProposalVerdict {
  const { parentView, hash } = proposal;
  const { leader } = state;
  const parentHash = state.hashAt(parentView);
  const missingNullification = highestMissingNullification(state, parentView);
  const verdict = state.rules.evaluateProposal({
    nullified: record.own.nullify !== undefined,
    parentView,
    finalizedView: state.finalizedView,
    parentHash,
    missingNullification,
  });
  if (verdict === 'incomplete') {
    const lowest = parentHash === undefined ? parentView : (missingNullification ?? parentView);
    requestCertificates(state, lowest, missingNullification ?? parentView, leader);
  }
  if (verdict !== 'sound') return verdict;
  const parent = parentHash === undefined ? undefined : readyParent(state, parentHash, leader);
  if (parent === undefined) return 'incomplete';
  if (state.isLastOfEpoch(parent)) return hash === parent.hash ? 'sound' : 'refused';
  if (hash === parent.hash) return 'refused';
  return judgeBlock(state, proposal, parent);
}

function highestMissingNullification(state: EpochState, parentView: number): number | undefined {
  for (let view = state.view - 1; view > Math.max(parentView, state.finalizedView); view--) {
    if (state.records.get(view)?.nullification === undefined) return view;
  }
  return undefined;
}

function readyParent(state: EpochState, hash: BlockHash, first: number): BlockFacts | undefined {
  return readiness(state, hash, first) === 'valid' ? factsOf(state, hash) : undefined;
}

function judgeBlock(state: EpochState, { hash, view }: VoteMessage, parent: BlockFacts): ProposalVerdict {
  const { leader } = state;
  const block = state.blocks.get(hash)?.facts;
  if (block === undefined) {
    requestBlock(state, hash, leader);
    return 'incomplete';
  }
  const fits =
    block.parentHash === parent.hash &&
    block.height === parent.height + 1 &&
    block.epoch === state.epoch &&
    block.view === view &&
    block.proposer === leader;
  if (!fits) return 'refused';
  const ready = readiness(state, hash, leader);
  return ready === 'valid' ? 'sound' : ready === 'invalid' ? 'refused' : 'incomplete';
}

/** Proposes if this node leads and the proposal is due (rule 2); an epoch's last block is proposed again (rule 10). */
export function propose(state: EpochState): void {
  if (!state.voting || !state.isProposalDue || state.leader !== state.self) return;
  const record = state.record(state.view);
  if (record.proposing || record.own.notarize !== undefined || record.own.nullify !== undefined) return;
  const parentView = findParent(state);
  const parentHash = parentView === undefined ? undefined : state.hashAt(parentView);
  if (parentView === undefined || parentHash === undefined) return;
  const parent = readyParent(state, parentHash, state.leaderOf(parentView));
  if (parent === undefined) return;
  state.counters.proposals++;
  if (state.isLastOfEpoch(parent)) {
    proposeBlock(state, record, parentView, parent.hash, undefined);
    return;
  }
  record.proposing = true;
  state.emit({
    type: 'propose',
    epoch: state.epoch,
    view: state.view,
    parentHash,
    parentView,
    parentHeight: parent.height,
    allowEmpty: allowEmpty(state),
    keysUntilMs: state.dueMs + state.rules.keyWaitMs(state.deltaMs()),
  });
}

/** Handles the block built for a `propose` effect. */
export function onBlockProposed(state: EpochState, block: BlockFacts): void {
  const record = state.records.get(block.view);
  const parentView = findParent(state);
  const fits =
    block.epoch === state.epoch &&
    block.view === state.view &&
    state.leader === state.self &&
    state.voting &&
    record?.proposing === true &&
    record.own.notarize === undefined &&
    record.own.nullify === undefined &&
    parentView !== undefined &&
    state.hashAt(parentView) === block.parentHash;
  if (!fits) {
    if (state.blocks.get(block.hash) === undefined) {
      state.emit({ type: 'release_blocks', hashes: [block.hash] });
      state.emit({ type: 'drop_blocks', hashes: [block.hash] });
    }
    return;
  }
  state.blocks.add(block, 'valid');
  proposeBlock(state, record, parentView, block.hash, block.hash);
}

/** Handles a `propose` effect that produced no block. */
export function onBlockNotProposed(state: EpochState, view: number): void {
  const record = state.records.get(view);
  if (record === undefined || view !== state.view || !record.proposing) return;
  record.proposing = false;
  state.work = { ...state.work, transactions: false };
  state.isProposalDue = false;
  state.notBeforeMs = state.nowMs + state.config.blockTimeMs;
}

/** Verifies the next proposal's parent ahead of time; if it is invalid here, rule 8 applies. */
export function prepareParent(state: EpochState): void {
  if (state.notarizedView <= state.finalizedView || state.fellBehindTo !== undefined) return;
  const certificate = state.records.get(state.notarizedView)?.notarization;
  if (certificate === undefined) return;
  const ready = readiness(state, certificate.hash, state.leaderOf(certificate.view));
  if (ready === 'invalid') diverge(state, certificate);
}

function proposeBlock(
  state: EpochState,
  record: ViewRecord,
  parentView: number,
  hash: BlockHash,
  push: BlockHash | undefined,
): void {
  const message = state.message('notarize', state.view, parentView, hash);
  record.proposal = message;
  castVote(state, message, push);
}

/** View of the block to build on (rule 2), or undefined while its certificates are missing; these are requested. */
function findParent(state: EpochState): number | undefined {
  for (let view = state.view - 1; view > state.finalizedView; view--) {
    const record = state.records.get(view);
    const notarized = record?.notarization !== undefined;
    const nullified = record?.nullification !== undefined;
    if (state.rules.canSkipView(notarized, nullified)) continue;
    if (notarized) return view;
    let lowest = view;
    while (lowest - 1 > state.finalizedView && !isKnown(state, lowest - 1)) lowest--;
    requestCertificates(state, lowest, view, state.leaderOf(view + 1));
    return undefined;
  }
  return state.finalizedView;
}

function isKnown(state: EpochState, view: number): boolean {
  const record = state.records.get(view);
  return record?.notarization !== undefined || record?.nullification !== undefined;
}

/** Only a sole validator waits for transactions; among several, the others would time out a leader that waits. */
function allowEmpty(state: EpochState): boolean {
  const { idleBlockTimeMs } = state.config;
  return (
    state.validators > 1 ||
    state.work.other ||
    state.work.urgent === true ||
    (idleBlockTimeMs > 0 && state.nowMs >= state.parentArrivedMs + idleBlockTimeMs)
  );
}
