import type { CallFailure } from '../../load/calls/ask-call.js';

/**
 * What a failed call means to the farm:
 * - `final`: every node would answer so; it is the call's result.
 * - `undetermined`: another try may end otherwise; the result if a second one does not.
 * - `away`: the node answers no calls at the moment.
 * - `refuses`: the node answers no calls of this worker.
 * - `lacks_state`: the node does not have the state that the job needs.
 */
export type FailureMeaning = 'final' | 'undetermined' | 'away' | 'refuses' | 'lacks_state';

const MEANINGS: Readonly<Record<string, FailureMeaning>> = {
  timeout: 'undetermined',
  client_timeout: 'undetermined',
  internal_error: 'undetermined',
  overloaded: 'away',
  rate_limited: 'away',
  not_ready: 'away',
  unauthorized: 'refuses',
  forbidden: 'refuses',
  payment_required: 'refuses',
  state_unavailable: 'lacks_state',
};

/** @param block hash of the block that the call names, if any */
export function meaningOf(
  { kind, data }: Pick<CallFailure, 'kind' | 'data'>,
  block: string | undefined,
): FailureMeaning {
  // A follower that has not received the block yet answers so.
  if (kind === 'not_found' && block !== undefined && data?.['hash'] === block) return 'lacks_state';
  return MEANINGS[kind] ?? 'final';
}
