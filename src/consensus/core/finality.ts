import type { EpochState } from './epoch-state.js';
import { readiness } from './readiness.js';
import { requestBlock } from './requests.js';
import type { BlockFacts, BlockHash, Certificate } from './types.js';

/** Maximum gap to the finalized block that is fetched block by block; for a larger one the shell syncs. */
const FETCHED_ONE_BY_ONE = 32;

/** Commits final blocks once all are held and verified (rule 5); the last block ends the epoch (rule 10). */
export function commitFinal(state: EpochState): void {
  const certificate = state.finalization;
  if (certificate === undefined || certificate.hash === state.committed.hash || state.diverged) return;
  const path = pathTo(state, certificate);
  if (path === undefined) return;
  const ready = readiness(state, certificate.hash, state.leaderOf(certificate.view));
  if (ready === 'invalid') diverge(state, certificate);
  if (ready !== 'valid') return;
  const hashes = path.map(({ hash }) => hash).reverse();
  const tip = path[0];
  if (tip === undefined) return;
  state.committed = tip;
  state.committing.set(tip.hash, certificate.view);
  state.emit({ type: 'commit', hashes, certificate });
  const dropped = state.blocks.prune(new Set(hashes), tip.height, state.finalizedView, state.epoch);
  if (dropped.length > 0) state.emit({ type: 'drop_blocks', hashes: dropped });
  endEpochWith(state, tip);
}

/** Rule 8: stops voting, because q validators accept a block that is invalid here: this node or they are faulty. */
export function diverge(state: EpochState, certificate: Certificate): void {
  const record = state.blocks.get(certificate.hash);
  if (state.diverged || record === undefined) return;
  endVoting(state);
  state.emit({ type: 'diverged', block: record.facts, certificate });
}

/** Rule 8: ends this node's voting for good. */
export function endVoting(state: EpochState): void {
  state.diverged = true;
  state.mayVote = false;
}

/** Handles a durable `commit`: the journal entries below it are no longer needed (rule 7). */
export function noteCommitted(state: EpochState, hash: BlockHash): void {
  const view = state.committing.get(hash);
  if (view === undefined) return;
  state.committing.delete(hash);
  state.emit({ type: 'prune_journal', epoch: state.epoch, view });
}

/** Handles blocks committed outside the core. */
export function noteSynced(state: EpochState, committed: BlockFacts): void {
  if (committed.height <= state.committed.height) return;
  state.committed = committed;
  state.fellBehindTo = undefined;
  const dropped = state.blocks.prune(new Set(), committed.height, 0, state.epoch);
  if (dropped.length > 0) state.emit({ type: 'drop_blocks', hashes: dropped });
  endEpochWith(state, committed);
}

function endEpochWith(state: EpochState, committed: BlockFacts): void {
  if (!state.isLastOfEpoch(committed)) return;
  state.ended = true;
  state.timers.cancelAll(state.effects);
  state.emit({ type: 'epoch_ended', epoch: state.epoch });
}

/** Blocks from the finalized to the last committed one, or undefined if one is missing, which is then requested. */
function pathTo(state: EpochState, certificate: Certificate): BlockFacts[] | undefined {
  const path: BlockFacts[] = [];
  let at = certificate.hash;
  while (at !== state.committed.hash) {
    const facts = state.blocks.get(at)?.facts;
    if (facts === undefined) {
      const height = path[0]?.height;
      if (height !== undefined && height - state.committed.height > FETCHED_ONE_BY_ONE)
        fallBehind(state, certificate, height);
      else requestBlock(state, at, state.leaderOf(certificate.view));
      return undefined;
    }
    // A final block that conflicts with the committed chain: more than f validators are faulty, and further votes
    // cannot help.
    if (facts.height <= state.committed.height) {
      diverge(state, certificate);
      return undefined;
    }
    path.push(facts);
    at = facts.parentHash;
  }
  return path;
}

function fallBehind(state: EpochState, certificate: Certificate, height: number): void {
  if (state.fellBehindTo === certificate.hash) return;
  state.fellBehindTo = certificate.hash;
  state.emit({ type: 'fell_behind', certificate, height });
}
