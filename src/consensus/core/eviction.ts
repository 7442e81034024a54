import type { EpochState } from './epoch-state.js';
import type { BlockHash } from './types.js';

/** Number of latest blocks kept in addition to the branches that are kept in any case. */
const MAX_RECENT = 64;

/**
 * Bounds the blocks held while views pass without finality, since each view may leave a block behind. The latest blocks
 * stay ready to be built on, as does the branch to the highest notarized block. Others are executed again if needed,
 * and blocks that are neither notarized nor journaled are dropped and requested again from those that voted for them.
 */
export function evict(state: EpochState): void {
  const { blocks } = state;
  if (blocks.size <= MAX_RECENT) return;
  const kept = keptBlocks(state);
  const released: BlockHash[] = [];
  const dropped: BlockHash[] = [];
  for (const record of blocks.values()) {
    const { hash } = record.facts;
    if (kept.has(hash)) continue;
    if (record.status === 'valid') {
      record.status = 'held';
      record.verifiedAsNotarized = false;
      released.push(hash);
    }
    if (record.journaled || blocks.notarizationOf(hash) !== undefined) continue;
    blocks.remove(hash);
    dropped.push(hash);
  }
  if (released.length > 0) state.emit({ type: 'release_blocks', hashes: released });
  if (dropped.length > 0) state.emit({ type: 'drop_blocks', hashes: dropped });
}

/** Blocks to keep, each with all its ancestors, so that no kept block builds on an evicted one. */
function keptBlocks(state: EpochState): Set<BlockHash> {
  const { blocks, records } = state;
  const kept = new Set<BlockHash>();
  const keep = (hash: BlockHash | undefined) => {
    let at = hash === undefined ? undefined : blocks.get(hash);
    while (at !== undefined && !kept.has(at.facts.hash)) {
      kept.add(at.facts.hash);
      at = blocks.get(at.facts.parentHash);
    }
  };
  keep(state.finalizedHash);
  keep(records.get(state.notarizedView)?.notarization?.hash);
  keep(records.get(state.view)?.proposal?.hash);
  // In order of arrival.
  const all = [...blocks.values()];
  for (const { facts, status } of all) if (status === 'verifying') keep(facts.hash);
  const recent = all.filter(({ facts }) => !kept.has(facts.hash));
  for (const { facts } of recent.slice(-MAX_RECENT)) keep(facts.hash);
  return kept;
}
