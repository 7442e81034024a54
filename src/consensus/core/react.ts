import type { EpochState } from './epoch-state.js';
import { commitFinal } from './finality.js';
import { cancelLeaderTimeout, repeatNullify, updatePacemaker } from './pacemaker.js';
import { evaluateProposal, prepareParent, propose } from './proposals.js';
import { castNullify } from './voting.js';

/** Applies the rules to the current state after each event; every step depends on the state alone. */
export function react(state: EpochState): void {
  if (state.ended) return;
  commitFinal(state);
  if (state.ended) return;
  joinNullify(state);
  evaluateProposal(state);
  prepareParent(state);
  updatePacemaker(state);
  cancelLeaderTimeout(state);
  repeatNullify(state);
  propose(state);
}

/** Rule 4: if f + 1 others nullify, at least one of them is honest. */
function joinNullify(state: EpochState): void {
  const record = state.records.get(state.view);
  if (record === undefined || record.own.nullify !== undefined) return;
  if (state.rules.joinsNullify(record.votes('nullify').others, state.faults)) castNullify(state);
}
