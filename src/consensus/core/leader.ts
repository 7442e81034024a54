/** A leader that sent no vote in this many rounds of leaders is skipped (rule 1). */
const SILENT_ROUNDS = 3;

/** The leader of a view: validators take turns by index, and each epoch starts one further. */
export function leaderOf(view: number, epoch: number, validators: number): number {
  return (view + epoch) % validators;
}

/**
 * Whether a view's leader is skipped: it sent no vote for {@link SILENT_ROUNDS} rounds, while a quorum did.
 * @param lastVotes each validator's highest view with a vote
 */
export function isSilentLeader(
  lastVotes: readonly number[],
  leader: number,
  view: number,
  quorum: number,
): boolean {
  const since = view - SILENT_ROUNDS * lastVotes.length;
  if (since <= 0 || (lastVotes[leader] ?? 0) >= since) return false;
  let active = 0;
  for (const last of lastVotes) if (last >= since) active++;
  return active >= quorum;
}
