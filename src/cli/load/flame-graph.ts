import { distinctEnds } from '../../base/distinct-ends.js';
import { count } from '../../base/number-text.js';

/*
 * A flame graph of folded stacks as a self-contained SVG: a box for each stack, as wide as its part of the gas, on
 * top of the stack that called it. Holding the pointer over a box shows its name and figures.
 */

const WIDTH = 1_200;
const ROW = 18;
const MARGIN = 10;
const HEAD = 36;
const MIN_WIDTH = 0.2;
/** Approximate width of a label's character. */
const CHARACTER = 6.6;
const MAX_ROWS = 300;

interface Box {
  readonly name: string;
  total: number;
  readonly children: Map<string, Box>;
}

/** A flame graph as SVG. @param folded a stack in each: its parts joined by `;`, a space, and its gas */
export function flameGraph(folded: readonly string[], title: string): string {
  const { root, names, depth } = boxesOf(folded);
  const rows = Math.min(MAX_ROWS, depth);
  const height = HEAD + rows * ROW + MARGIN;
  const labels = distinctEnds(names);
  const parts: string[] = [];
  const scale = root.total === 0 ? 0 : (WIDTH - 2 * MARGIN) / root.total;
  // An explicit stack instead of recursion: call stacks may be deep.
  const open: { readonly box: Box; readonly x: number; readonly row: number }[] = [
    { box: root, x: MARGIN, row: 0 },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { box, x, row } = next;
    const width = box.total * scale;
    if (width < MIN_WIDTH || row >= rows) continue;
    parts.push(
      boxSvg(box, labels.get(box.name) ?? box.name, root.total, {
        x,
        y: height - MARGIN - (row + 1) * ROW,
        width,
      }),
    );
    let left = x;
    for (const child of box.children.values()) {
      open.push({ box: child, x: left, row: row + 1 });
      left += child.total * scale;
    }
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="11">`,
    '<style>rect{stroke:#fff;stroke-width:.5}g:hover rect{stroke:#000;stroke-width:1}text{pointer-events:none}</style>',
    `<rect width="${WIDTH}" height="${height}" fill="#fffdf7" stroke="none"/>`,
    `<text x="${MARGIN}" y="22" font-size="14">${escaped(title)}</text>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

function boxesOf(folded: readonly string[]) {
  const root: Box = { name: 'all', total: 0, children: new Map() };
  const names = new Set([root.name]);
  let depth = 1;
  for (const line of folded) {
    const end = line.lastIndexOf(' ');
    const gas = Number(line.slice(end + 1));
    root.total += gas;
    let box = root;
    const stack = line.slice(0, end).split(';');
    depth = Math.max(depth, stack.length + 1);
    for (const name of stack) {
      names.add(name);
      let child = box.children.get(name);
      if (child === undefined) {
        child = { name, total: 0, children: new Map() };
        box.children.set(name, child);
      }
      child.total += gas;
      box = child;
    }
  }
  return { root, names, depth };
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

function boxSvg(box: Box, name: string, all: number, { x, y, width }: Place): string {
  const part = ((100 * box.total) / all).toFixed(2);
  const about = `${box.name}: ${count(box.total)} gas, ${part}%`;
  const room = Math.floor((width - 6) / CHARACTER);
  const label = name.length <= room ? name : room >= 3 ? `${name.slice(0, room - 1)}…` : '';
  const text =
    label === '' ? '' : `<text x="${(x + 3).toFixed(1)}" y="${(y + 13).toFixed(1)}">${escaped(label)}</text>`;
  return `<g><title>${escaped(about)}</title><rect x="${x.toFixed(2)}" y="${y.toFixed(1)}" width="${width.toFixed(2)}" height="${ROW - 1}" rx="1" fill="${colourOf(box.name)}"/>${text}</g>`;
}

/** A colour that depends on the name alone; blue for host functions, warm for everything else. */
function colourOf(name: string): string {
  let hash = 0;
  for (let i = 0; i < name.length; i++) hash = (Math.imul(hash, 31) + name.charCodeAt(i)) >>> 0;
  const lightness = 62 + (hash % 16);
  return name.startsWith('heddle.')
    ? `hsl(${200 + (hash % 20)} 60% ${lightness}%)`
    : `hsl(${15 + ((hash >>> 8) % 40)} 80% ${lightness}%)`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
