import { divideCandidates, type ExecutedCandidates } from '../../../src/chain/executed-candidates.js';
import type { Selection } from '../../../src/mempool/draw/block-draw.js';

/** The result of execution with all candidates included, for tests that ignore their effects. */
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
      payments: [],
    },
    0,
  );
}
