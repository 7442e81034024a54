import type { BlockHash } from './types.js';

/** A leader that sent no vote in this many rounds of leaders is skipped (rule 1). */
const SILENT_ROUNDS = 3;
/** Maximum Δ_k of rule 1. */
const LONGEST_DELTA_MS = 16_000;

/** The inputs that decide whether this node may vote for a view's proposal. */
export interface ProposalState {
  readonly nullified: boolean;
  readonly parentView: number;
  readonly finalizedView: number;
  /** Hash of the block notarized or finalized at `parentView`, if this node holds that certificate. */
  readonly parentHash: BlockHash | undefined;
  /** Highest view between parent and proposal whose nullification this node lacks. */
  readonly missingNullification: number | undefined;
}

/** `sound`: may be voted for once valid; `refused`: never; `incomplete`: certificates are missing. */
export type ProposalVerdict = 'sound' | 'refused' | 'incomplete';

/** The formulas behind the rules of `../core.ts`, separate from bookkeeping so that tests can break them one by one. */
export interface Rules {
  leader(view: number, epoch: number, validators: number): number;
  delta(deltaMs: number, view: number, finalizedView: number, faults: number): number;
  /**
   * Whether a view's leader is skipped: it sent no vote for {@link SILENT_ROUNDS} rounds, while a quorum did.
   * @param lastVotes each validator's highest view with a vote
   */
  isSilent(lastVotes: readonly number[], leader: number, view: number, quorum: number): boolean;
  /** How long after its proposal is due a leader waits for the keys that it lacks. @param deltaMs Δ_k of the view */
  keyWaitMs(deltaMs: number): number;
  /** Whether the search for a parent may skip a view below the current one. */
  canSkipView(notarized: boolean, nullified: boolean): boolean;
  evaluateProposal(proposal: ProposalState): ProposalVerdict;
  joinsNullify(others: number, faults: number): boolean;
  mayFinalize(nullified: boolean): boolean;
  quorum(validators: number): number;
  /** Whether a node sends its finalization and its view's certificate to peers that are behind or stuck. */
  readonly helpsLaggingPeers: boolean;
  readonly repeatsWhenStuck: boolean;
  /** Whether a journaled vote is binding after a restart. */
  readonly honorsJournaledVotes: boolean;
  isLastOfEpoch(height: number, epoch: number, epochLength: number): boolean;
}

export const RULES: Rules = {
  // Validators take turns by index, and each epoch starts one further.
  leader: (view, epoch, validators) => (view + epoch) % validators,

  delta: (deltaMs, view, finalizedView, faults) =>
    Math.min(deltaMs * 2 ** Math.max(0, view - 1 - finalizedView - faults), LONGEST_DELTA_MS),

  isSilent: (lastVotes, leader, view, quorum) => {
    const since = view - SILENT_ROUNDS * lastVotes.length;
    if (since <= 0 || (lastVotes[leader] ?? 0) >= since) return false;
    let active = 0;
    for (const last of lastVotes) if (last >= since) active++;
    return active >= quorum;
  },

  keyWaitMs: (deltaMs) => deltaMs,

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

/** f: the number of faulty validators that a set of this size tolerates. */
export function maxFaulty(validators: number): number {
  return Math.floor((validators - 1) / 3);
}
