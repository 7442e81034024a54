import type { EpochState } from './epoch-state.js';
import type { Certificate, VoteMessage } from './types.js';
import { castVote } from './voting.js';

/** True if a certificate of this epoch would add information. */
export function isNewCertificate(state: EpochState, { kind, view }: VoteMessage): boolean {
  if (view <= state.finalizedView) return false;
  const record = state.records.get(view);
  if (kind === 'notarize') return record?.notarization === undefined;
  if (kind === 'nullify') return record?.nullification === undefined;
  return true;
}

/**
 * Applies a valid certificate: journals it, broadcasts it if it was assembled here, and enters the view after it (rules
 * 5, 6 and 7).
 * @param own whether it was assembled here from votes
 */
export function applyCertificate(state: EpochState, certificate: Certificate, own: boolean): void {
  if (!isNewCertificate(state, certificate)) return;
  if (certificate.kind === 'finalize') applyFinalization(state, certificate);
  else applyNotarizationOrNullification(state, certificate, own);
}

function applyNotarizationOrNullification(state: EpochState, certificate: Certificate, own: boolean): void {
  const { kind, view } = certificate;
  const record = state.record(view);
  state.journal({ type: 'certificate', certificate });
  if (own && state.validators > 1) state.emit({ type: 'send_certificate', certificate, to: undefined });
  if (kind === 'notarize') {
    state.counters.notarizations++;
    record.notarization = certificate;
    noteNotarized(state, certificate);
  } else {
    state.counters.nullifications++;
    record.nullification = certificate;
  }
  if (view < state.view) return;
  state.enterView(view + 1, certificate);
  if (kind !== 'notarize' || !state.voting || record.own.finalize !== undefined) return;
  if (!state.rules.mayFinalize(record.own.nullify !== undefined)) return;
  castVote(state, state.message('finalize', view, certificate.parentView, certificate.hash));
}

function applyFinalization(state: EpochState, certificate: Certificate): void {
  const { view, hash } = certificate;
  state.counters.finalizations++;
  state.finalization = certificate;
  state.finalizedView = view;
  state.finalizedHash = hash;
  noteNotarized(state, certificate);
  if (view >= state.view) {
    // Journaled, because votes of later views may reach the journal before the finalized blocks are committed.
    state.journal({ type: 'certificate', certificate });
    state.enterView(view + 1, certificate);
  }
  state.pruneViews(view);
}

/** Records a notarization; a finalization implies one. */
export function noteNotarized(state: EpochState, certificate: Certificate): void {
  state.blocks.noteNotarized(certificate);
  if (certificate.view <= state.notarizedView) return;
  state.notarizedView = certificate.view;
  state.parentArrivedMs = state.nowMs;
}
