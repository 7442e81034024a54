import { distinctEnds } from '../../base/distinct-ends.js';

/** A box of a flame graph: a call stack, as wide as its share of the gas. */
export interface FlameBox {
  readonly name: string;
  /** The name without directories that do not tell it apart. */
  readonly label: string;
  /** Gas of the stack and of everything that it calls. */
  readonly gas: bigint;
  /** Depth of the stack, from 0. */
  readonly row: number;
  /** Left edge and width in millionths of the whole. */
  readonly left: number;
  readonly width: number;
  /** Index of the box below; −1 for the lowest. */
  readonly parent: number;
}

interface Stack {
  readonly name: string;
  gas: bigint;
  readonly callees: Map<string, Stack>;
}

const WHOLE = 1_000_000;
/** Narrower boxes are left out. */
const MIN_WIDTH = 1_500;
const MAX_BOXES = 600;
const MAX_ROWS = 64;
const MAX_LINES = 20_000;

/**
 * Lays out folded stacks, the lowest box first. Gas is exact; only positions are rounded.
 * @param folded one stack a line: its parts joined by `;`, a space, and its gas
 */
export function flameBoxes(folded: readonly string[]): readonly FlameBox[] {
  const root = stacksOf(folded);
  if (root.gas === 0n) return [];
  const boxes: FlameBox[] = [];
  const open = [{ stack: root, row: 0, left: 0, parent: -1 }];
  for (let at = 0; at < open.length && boxes.length < MAX_BOXES; at++) {
    const next = open[at];
    if (next === undefined) break;
    const { stack, row, left, parent } = next;
    const width = Number((stack.gas * BigInt(WHOLE)) / root.gas);
    if (width < MIN_WIDTH || row >= MAX_ROWS) continue;
    const { name } = stack;
    const index = boxes.push({ name, label: name, gas: stack.gas, row, left, width, parent }) - 1;
    let edge = left;
    for (const callee of stack.callees.values()) {
      open.push({ stack: callee, row: row + 1, left: edge, parent: index });
      edge += Number((callee.gas * BigInt(WHOLE)) / root.gas);
    }
  }
  const labels = distinctEnds(boxes.map(({ name }) => name));
  return boxes.map((box) => ({ ...box, label: labels.get(box.name) ?? box.name }));
}

function stacksOf(folded: readonly string[]): Stack {
  const root: Stack = { name: 'transaction', gas: 0n, callees: new Map() };
  for (const line of folded.slice(0, MAX_LINES)) {
    const end = line.lastIndexOf(' ');
    const digits = line.slice(end + 1);
    if (end < 0 || !/^\d{1,20}$/.test(digits)) continue;
    const gas = BigInt(digits);
    root.gas += gas;
    let stack = root;
    for (const name of line.slice(0, end).split(';', MAX_ROWS)) {
      let callee = stack.callees.get(name);
      if (callee === undefined) {
        callee = { name, gas: 0n, callees: new Map() };
        stack.callees.set(name, callee);
      }
      callee.gas += gas;
      stack = callee;
    }
  }
  return root;
}

/** The boxes of one stack and its callees, scaled to the whole width, with its callers below at full width. */
export function zoomed(boxes: readonly FlameBox[], index: number): readonly (FlameBox & { index: number })[] {
  const focus = boxes[index];
  if (focus === undefined) return boxes.map((box, at) => ({ ...box, index: at }));
  const { left, width } = focus;
  const below = new Set<number>();
  for (let at = focus.parent; at >= 0; at = boxes[at]?.parent ?? -1) below.add(at);
  const inside = new Set([index]);
  return boxes.flatMap((box, at) => {
    if (below.has(at)) return [{ ...box, index: at, left: 0, width: WHOLE }];
    if (at !== index && !inside.has(box.parent)) return [];
    inside.add(at);
    return [
      { ...box, index: at, left: ((box.left - left) / width) * WHOLE, width: (box.width / width) * WHOLE },
    ];
  });
}
