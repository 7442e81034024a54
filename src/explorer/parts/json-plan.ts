import type { JsonValue } from '../../idl/json-value.js';

/** Number of members of an object or list shown at first, and added per click. */
export const STEP = 25;
/** Number of levels expanded at first. */
const OPEN_LEVELS = 3;
/** Number of levels expanded at first inside a list, whose items multiply them. */
const LEVELS_IN_LIST = 1;

/** Objects with more members are shown as trees. */
const MAX_BRIEF_MEMBERS = 4;
/** Objects with longer names and texts together are shown as trees; addresses and hashes are short. */
const MAX_BRIEF_CHARACTERS = 90;
/** Length of an address or hash as shown. */
const HEX_CHARACTERS = 15;

/**
 * The objects and lists of a value that are open at first, level by level: those whose members fit into the budget. A
 * contract chooses its values, and without a budget a small one could fill a page with elements. Brief objects are open
 * at any level.
 * @param budget number of members in total; at least {@link STEP}, so that the value itself is open
 */
export function openParts(value: JsonValue, budget: number): ReadonlySet<object> {
  const open = new Set<object>();
  const queue: { readonly value: JsonValue; readonly levels: number }[] = [{ value, levels: OPEN_LEVELS }];
  let left = budget;
  // The queue grows during the loop, by at most the budget.
  for (const { value: part, levels } of queue) {
    if (typeof part !== 'object' || part === null) continue;
    if (levels <= 0 && !isBrief(part)) continue;
    const members: readonly JsonValue[] = Object.values(part).slice(0, STEP);
    if (members.length > left) continue;
    left -= members.length;
    open.add(part);
    const inside = Array.isArray(part) ? Math.min(levels - 1, LEVELS_IN_LIST) : levels - 1;
    for (const member of members) queue.push({ value: member, levels: inside });
  }
  return open;
}

/** Whether an object fits on a line: few members, which are short texts, numbers and such. */
export function isBrief(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries: readonly (readonly [string, JsonValue])[] = Object.entries(value);
  if (entries.length > MAX_BRIEF_MEMBERS) return false;
  let characters = 0;
  for (const [name, member] of entries) {
    if (typeof member === 'object' && member !== null && !isPlainVariant(member)) return false;
    characters += name.length + shownLength(member);
  }
  return characters <= MAX_BRIEF_CHARACTERS;
}

/** Whether a value is an enum's variant without payload, `{type}`; its `value` may be null. */
function isPlainVariant(value: object): boolean {
  return (
    'type' in value &&
    Object.entries(value).every(([name, part]) => name === 'type' || (name === 'value' && part === null))
  );
}

function shownLength(value: JsonValue): number {
  if (typeof value === 'string') {
    return /^(0x)?[0-9a-f]{40,64}$/.test(value) ? HEX_CHARACTERS : value.length;
  }
  if (typeof value !== 'object' || value === null) return String(value).length;
  // A variant without payload.
  return 'type' in value && typeof value['type'] === 'string' ? value['type'].length : MAX_BRIEF_CHARACTERS;
}
