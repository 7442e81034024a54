import type { EpochState } from './epoch-state.js';
import { castNullify } from './voting.js';

/** Interval in milliseconds at which a stuck node rebroadcasts (rule 6). */
export const REBROADCAST_INTERVAL_MS = 1_000;

/** Starts the view's timers once its proposal is due, or sets the timer for that time (rule 1). */
export function updatePacemaker(state: EpochState): void {
  if (state.isProposalDue) return;
  const dueMs = dueAt(state);
  if (dueMs === undefined) {
    state.timers.cancel('due', state.effects);
  } else if (dueMs > state.nowMs) {
    state.timers.set('due', dueMs, state.effects);
  } else {
    state.timers.cancel('due', state.effects);
    startClock(state);
  }
}

/** Time at which a proposal of this view is due, or undefined while there is nothing to propose. */
function dueAt(state: EpochState): number | undefined {
  // The leader has work that this node has not seen.
  if (state.records.get(state.view)?.proposal !== undefined) return state.nowMs;
  const waitMs = waitBefore(state);
  return waitMs === undefined ? undefined : Math.max(state.parentArrivedMs + waitMs, state.notBeforeMs);
}

/** How long after its parent a proposal is due; undefined if never. */
function waitBefore(state: EpochState): number | undefined {
  const { blockTimeMs, idleBlockTimeMs, sealInstantly } = state.config;
  const { transactions, other, urgent } = state.work;
  if (urgent === true || (transactions && sealInstantly)) return 0;
  if (transactions || other || waitsForOthers(state)) return blockTimeMs;
  return idleBlockTimeMs > 0 ? idleBlockTimeMs : undefined;
}

/** True if a notarized block needs later views' votes to become final; a sole validator's block finalizes by itself. */
function waitsForOthers(state: EpochState): boolean {
  return state.validators > 1 && state.notarizedView > state.finalizedView;
}

function startClock(state: EpochState): void {
  state.isProposalDue = true;
  state.dueMs = state.nowMs;
  if (state.validators === 1) return;
  const { rules, view, leader, nowMs } = state;
  if (rules.isSilent(state.peers.lastVotes, leader, view, state.quorum)) {
    state.counters.timeouts++;
    castNullify(state);
    return;
  }
  const deltaMs = state.deltaMs();
  if (state.records.get(view)?.proposal === undefined)
    state.timers.set('leader', nowMs + 2 * deltaMs, state.effects);
  state.timers.set('advance', nowMs + 3 * deltaMs, state.effects);
}

/** Cancels the leader timer once the proposal has arrived; from then on only the advance timer runs. */
export function cancelLeaderTimeout(state: EpochState): void {
  if (state.records.get(state.view)?.proposal !== undefined) state.timers.cancel('leader', state.effects);
}

/** Starts to repeat this view's nullify, which may also come from an earlier process or a peer (rule 6). */
export function repeatNullify(state: EpochState): void {
  if (state.records.get(state.view)?.own.nullify === undefined || state.timers.isRunning('resend')) return;
  state.timers.set('resend', state.nowMs + REBROADCAST_INTERVAL_MS, state.effects);
}
