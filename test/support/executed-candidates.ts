import { divideCandidates, type ExecutedCandidates } from '../../src/chain/executed-candidates.js';
import type { Selection } from '../../src/mempool/draw/block-draw.js';

/** What executing candidates comes to where all are in the block, and nobody looks at what they did there. */
export function allIncluded(selection: Selection): ExecutedCandidates {
  return divideCandidates(
    selection,
    {
      excluded: [],
      failedBundles: [],
      receipts: [],
      storedReceipts: [],
      gasUsed: 0n,
      writes: [],
      codes: [],
      idls: [],
      contractTransactions: new Map(),
      events: [],
    },
    0,
  );
}
