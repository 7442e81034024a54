import { STATE_KEY_BYTES } from '../../storage/state.js';
import { SLOTS } from './pages.js';

/**
 * Finds the keys of a change list (ascending, 32 bytes each) that are below places of the top (tree-top.ts).
 * @param visit called with each key, as a view into the list
 */
export function forEachKeyBelow(
  list: Uint8Array,
  places: readonly number[],
  visit: (key: Uint8Array) => void,
): void {
  const count = list.length / STATE_KEY_BYTES;
  for (const place of places) {
    const [from, to] = prefixesOf(place);
    for (let index = firstAtOrAfter(list, count, from); index < count; index++) {
      if (prefixAt(list, index) >= to) break;
      visit(list.subarray(index * STATE_KEY_BYTES, (index + 1) * STATE_KEY_BYTES));
    }
  }
}

/** Range of the first two bytes of the keys below a place; the end is exclusive. */
function prefixesOf(place: number): readonly [number, number] {
  if (place < SLOTS) return [place << 10, (place + 1) << 10];
  const below = place - SLOTS;
  return [below << 4, (below + 1) << 4];
}

function firstAtOrAfter(list: Uint8Array, count: number, prefix: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (prefixAt(list, middle) < prefix) low = middle + 1;
    else high = middle;
  }
  return low;
}

function prefixAt(list: Uint8Array, index: number): number {
  const at = index * STATE_KEY_BYTES;
  return ((list[at] as number) << 8) | (list[at + 1] as number);
}
