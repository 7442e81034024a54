import type { EpochState } from './epoch-state.js';
import type { BlockHash } from './types.js';

/** Blocks that are kept ready besides those that the next ones are built on. */
const KEPT_BESIDE = 64;

/**
 * Views may go on for long without any becoming final, and each may leave a block behind. The latest stay ready to be built on, as
 * does all that leads to the highest notarized block. The others are executed again if they are needed after all; and those that
 * are neither notarized nor in the journal, fetched again: whoever voted for them has them.
 */
export function evict(state: EpochState): void {
  const { blocks } = state;
  if (blocks.size <= KEPT_BESIDE) return;
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

/** With each block all those before it, so that nothing that stays is built on what goes. */
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
  // In the order in which they came.
  const all = [...blocks.values()];
  for (const { facts, status } of all) if (status === 'verifying') keep(facts.hash);
  const beside = all.filter(({ facts }) => !kept.has(facts.hash));
  for (const { facts } of beside.slice(-KEPT_BESIDE)) keep(facts.hash);
  return kept;
}
