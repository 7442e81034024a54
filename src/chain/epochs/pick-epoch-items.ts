import { MAX_CONSENSUS_ITEMS } from '../../ledger/constants.js';
import type { EpochRules, ItemsPlace } from './epoch-rules.js';
import { type EpochItems, type EpochState, NO_EPOCH_ITEMS } from './epoch-state.js';

/** The dealings, changes and complaints that a block may contain, in order. @throws ExecutionError */
export async function pickEpochItems(
  epochRules: Pick<EpochRules, 'problem'>,
  { parent, env }: { readonly parent: { readonly epochs: EpochState }; readonly env: ItemsPlace },
  items: EpochItems | undefined,
): Promise<EpochItems> {
  let taken = NO_EPOCH_ITEMS;
  if (items === undefined) return taken;
  const additions: EpochItems[] = [
    ...items.dealings.map((dealing) => ({ ...NO_EPOCH_ITEMS, dealings: [dealing] })),
    ...items.changes.map((change) => ({ ...NO_EPOCH_ITEMS, changes: [change] })),
    ...items.complaints.map((complaint) => ({ ...NO_EPOCH_ITEMS, complaints: [complaint] })),
  ];
  for (const addition of additions) {
    const together = joined(taken, addition);
    // Rule 2 of `verify-block.ts`.
    if (together.changes.length > MAX_CONSENSUS_ITEMS) continue;
    const before = { ...parent.epochs, ...joined(parent.epochs, taken) };
    if ((await epochRules.problem(before, env, addition)) === undefined) taken = together;
  }
  return taken;
}

function joined(one: EpochItems, other: EpochItems): EpochItems {
  return {
    dealings: [...one.dealings, ...other.dealings],
    changes: [...one.changes, ...other.changes],
    complaints: [...one.complaints, ...other.complaints],
  };
}
