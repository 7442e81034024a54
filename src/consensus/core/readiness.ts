import type { BlockRecord } from './block-index.js';
import type { EpochState } from './epoch-state.js';
import { requestBlock } from './requests.js';
import type { BlockFacts, BlockHash } from './types.js';

export function factsOf(state: EpochState, hash: BlockHash): BlockFacts | undefined {
  return hash === state.committed.hash ? state.committed : state.blocks.get(hash)?.facts;
}

/**
 * Returns whether a block and all its ancestors are verified. If not, starts the next step: verifies the lowest
 * unverified block, or requests the first block that is not held.
 *
 * The walk terminates because a hash covers its parent's. It is as long as the branch of held, unverified blocks, all
 * notarized except the first, so a peer cannot lengthen it without a quorum.
 * @param first the peer to ask first
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
  // The voters for a block held its parent's notarization.
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
