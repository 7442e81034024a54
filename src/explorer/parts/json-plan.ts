import type { JsonValue } from '../../idl/json-value.js';

/** Number of members of an object or list shown at first, and added per click. */
export const STEP = 25;
/** Number of levels expanded at first. */
const OPEN_LEVELS = 3;
/** Number of levels expanded at first inside a list, whose items multiply them. */
const LEVELS_IN_LIST = 1;

/**
 * The objects and lists of a value that are open at first, level by level: those whose members fit into the budget. A
 * contract chooses its values, and without a budget a small one could fill a page with elements.
 * @param budget number of members in total; at least {@link STEP}, so that the value itself is open
 */
export function openParts(value: JsonValue, budget: number): ReadonlySet<object> {
  const open = new Set<object>();
  const queue: { readonly value: JsonValue; readonly levels: number }[] = [{ value, levels: OPEN_LEVELS }];
  let left = budget;
  // The queue grows during the loop, by at most the budget.
  for (const { value: part, levels } of queue) {
    if (typeof part !== 'object' || part === null || levels <= 0) continue;
    const members: readonly JsonValue[] = Object.values(part).slice(0, STEP);
    if (members.length > left) continue;
    left -= members.length;
    open.add(part);
    const inside = Array.isArray(part) ? Math.min(levels - 1, LEVELS_IN_LIST) : levels - 1;
    for (const member of members) queue.push({ value: member, levels: inside });
  }
  return open;
}
