import type { BlockHash } from './types.js';

/** The greatest Δ_k of rule 1. */
const LONGEST_DELTA_MS = 16_000;
/** A leader that gave no vote in this many rounds of leaders is not waited for (rule 1). */
const SILENT_ROUNDS = 3;

/** What decides whether a proposal may be voted for, of one view and this node. */
export interface ProposalState {
  /** Whether this node signed `nullify` of the view. */
  readonly nullified: boolean;
  readonly parentView: number;
  readonly finalizedView: number;
  /** Hash of the block notarized or finalized at `parentView`, as far as this node holds that certificate. */
  readonly parentHash: BlockHash | undefined;
  /** The highest view between parent and proposal whose nullification this node lacks. */
  readonly missingNullification: number | undefined;
}

/** Where a proposal stands: to be voted for once valid, never to be voted for, or not yet. */
export type ProposalVerdict = 'sound' | 'refused' | 'incomplete';

/**
 * The decisions that the rules of `../core.ts` leave to a formula, apart from the bookkeeping around them, so that each can be read,
 * and in a test be broken, alone.
 */
export interface Rules {
  leader(view: number, epoch: number, validators: number): number;
  delta(deltaMs: number, view: number, finalizedView: number, faults: number): number;
  isSilent(lastVotes: readonly number[], leader: number, view: number, quorum: number): boolean;
  /** Whether a view below the own one can be passed over in the search for a parent, going down. */
  canSkipView(notarized: boolean, nullified: boolean): boolean;
  evaluateProposal(standing: ProposalState): ProposalVerdict;
  joinsNullify(others: number, faults: number): boolean;
  mayFinalize(nullified: boolean): boolean;
  quorum(validators: number): number;
  /** Whether a node tells its finalization and the certificate of its view to peers that are behind or stuck. */
  readonly helpsLaggingPeers: boolean;
  readonly repeatsWhenStuck: boolean;
  /** Whether a journaled vote of a view is the vote of that view. */
  readonly honorsJournaledVotes: boolean;
  isLastOfEpoch(height: number, epoch: number, epochLength: number): boolean;
}

/** The rules as they are. */
export const RULES: Rules = {
  leader: (view, epoch, validators) => (view + epoch) % validators,

  delta: (deltaMs, view, finalizedView, faults) =>
    Math.min(deltaMs * 2 ** Math.max(0, view - 1 - finalizedView - faults), LONGEST_DELTA_MS),

  isSilent(lastVotes, leader, view, quorum) {
    const since = view - SILENT_ROUNDS * lastVotes.length;
    if (since <= 0 || (lastVotes[leader] ?? 0) >= since) return false;
    let active = 0;
    for (const last of lastVotes) if (last >= since) active++;
    return active >= quorum;
  },

  canSkipView: (notarized, nullified) => nullified && !notarized,

  evaluateProposal({ nullified, parentView, finalizedView, parentHash, missingNullification }) {
    if (nullified || parentView < finalizedView) return 'refused';
    return parentHash === undefined || missingNullification !== undefined ? 'incomplete' : 'sound';
  },

  joinsNullify: (others, faults) => others > faults,

  mayFinalize: (nullified) => !nullified,

  quorum: (validators) => validators - maxFaulty(validators),

  helpsLaggingPeers: true,
  repeatsWhenStuck: true,
  honorsJournaledVotes: true,

  isLastOfEpoch: (height, epoch, epochLength) => height === (epoch + 1) * epochLength,
};

/** f: how many faulty validators that many tolerate. */
export function maxFaulty(validators: number): number {
  return Math.floor((validators - 1) / 3);
}
