import type { BlockRecord } from './block-index.js';
import type { EpochState } from './epoch-state.js';
import { requestBlock } from './requests.js';
import type { BlockFacts, BlockHash } from './types.js';

/** Facts of a block that is committed or held. */
export function factsOf(state: EpochState, hash: BlockHash): BlockFacts | undefined {
  return hash === state.committed.hash ? state.committed : state.blocks.get(hash)?.facts;
}

/**
 * Whether a block and all before it are verified. Where not, what is missing for that is set going: the lowest block not
 * verified is verified, or the first that is not held is asked for.
 *
 * The walk ends, for a hash covers the parent's. It is as long as the branch of blocks held and not verified, all of them
 * notarized but for the first: a peer cannot make it longer without a quorum.
 * @param first whom to ask
 */
export function readiness(
  state: EpochState,
  hash: BlockHash,
  first: number,
): 'valid' | 'invalid' | 'not_yet' {
  let at = hash;
  let lowest: BlockRecord | undefined;
  while (at !== state.committed.hash) {
    const record = state.blocks.get(at);
    if (record === undefined) {
      requestBlock(state, at, first);
      return 'not_yet';
    }
    if (record.status === 'valid') break;
    if (record.status === 'invalid') return 'invalid';
    if (record.facts.height <= state.committed.height) return 'not_yet';
    lowest = record;
    at = record.facts.parentHash;
  }
  if (lowest === undefined) return 'valid';
  // Whoever voted for a block held the notarization of its parent.
  const notarized = lowest.facts.hash !== hash || state.blocks.notarizationOf(hash) !== undefined;
  verify(state, lowest, notarized);
  return 'not_yet';
}

function verify(state: EpochState, record: BlockRecord, notarized: boolean): void {
  const again = notarized && !record.verifiedAsNotarized;
  if (record.status === 'verifying') return;
  if (state.nowMs < record.retryAtMs && !again) {
    if (!state.timers.isRunning('verdict')) state.timers.set('verdict', record.retryAtMs, state.effects);
    return;
  }
  record.status = 'verifying';
  record.verifiedAsNotarized = notarized;
  state.emit({ type: 'verify', block: record.facts, notarized });
}
