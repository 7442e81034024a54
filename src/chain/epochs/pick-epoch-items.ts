import { MAX_CONSENSUS_ITEMS } from '../../ledger/constants.js';
import type { NextBlock } from '../next-block.js';
import type { EpochRules } from './epoch-rules.js';
import type { EpochItems } from './epoch-state.js';

/** The dealings and changes that a block may contain, in order. @throws ExecutionError */
export async function pickEpochItems(
  epochRules: Pick<EpochRules, 'problem'>,
  { parent, env }: NextBlock,
  items: EpochItems | undefined,
): Promise<EpochItems> {
  let taken: EpochItems = { dealings: [], changes: [] };
  if (items === undefined) return taken;
  const additions = [
    ...items.dealings.map((dealing) => ({ dealings: [dealing], changes: [] })),
    ...items.changes.map((change) => ({ dealings: [], changes: [change] })),
  ];
  for (const { dealings, changes } of additions) {
    // Rule 2 of `verify-block.ts`.
    if (taken.changes.length + changes.length > MAX_CONSENSUS_ITEMS) break;
    const before = {
      ...parent.epochs,
      dealings: [...parent.epochs.dealings, ...taken.dealings],
      changes: [...parent.epochs.changes, ...taken.changes],
    };
    if ((await epochRules.problem(before, env, { dealings, changes })) !== undefined) continue;
    taken = { dealings: [...taken.dealings, ...dealings], changes: [...taken.changes, ...changes] };
  }
  return taken;
}
