import type { EpochState } from './epoch-state.js';
import { commitFinal } from './finality.js';
import { cancelLeaderTimeout, updatePacemaker } from './pacemaker.js';
import { evaluateProposal, prepareParent, propose } from './proposals.js';
import { castNullify } from './voting.js';

/** What follows from what is known, after each event: every step looks at the state alone. */
export function react(state: EpochState): void {
  if (state.ended) return;
  commitFinal(state);
  if (state.ended) return;
  joinNullify(state);
  evaluateProposal(state);
  prepareParent(state);
  updatePacemaker(state);
  cancelLeaderTimeout(state);
  propose(state);
}

/** f + 1 others nullify: at least one honest one does (rule 4). */
function joinNullify(state: EpochState): void {
  const record = state.records.get(state.view);
  if (record === undefined || record.own.nullify !== undefined) return;
  if (state.rules.joinsNullify(record.votes('nullify').others, state.faults)) castNullify(state);
}
