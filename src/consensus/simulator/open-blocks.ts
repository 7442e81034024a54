import { MAX_SEAL_KEYS } from '../../ledger/constants.js';
import { contentOf } from './sim-blocks.js';
import type { World } from './world.js';

/** Final blocks of a run with envelopes, counted after a height. */
export interface OpenBlocks {
  /** Blocks whose keys could open all that was due, so that they could have transactions. */
  readonly able: number;
  readonly withTransactions: number;
}

/** @param after height of the last block that does not count */
export function countOpenBlocks(world: World, after: number): OpenBlocks {
  let [able, withTransactions] = [0, 0];
  for (let height = after + 1; height <= world.finalHeight; height++) {
    const block = world.finalBlock(height);
    if (block === undefined) continue;
    const opened = world.blocks.get(block.facts.parentHash)?.openedTo ?? 0;
    if (height - 1 - opened > MAX_SEAL_KEYS) continue;
    able++;
    if (contentOf(block.items).transactions.length > 0) withTransactions++;
  }
  return { able, withTransactions };
}
