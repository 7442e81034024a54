// The documentation pages, parsed for the tests.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/config/package-info.js';

export const root = packageRoot();

/** A command of a console block and its documented output. */
export interface Step {
  readonly command: string;
  readonly output: string;
}

/**
 * Marks in the HTML comment on the line before a console block: `start` shows the output of a starting node, `stopped`
 * runs after the page's node has stopped. A block without a mark runs beside the node.
 */
const MARKS = ['start', 'stopped'] as const;

export type Mark = (typeof MARKS)[number];

export interface Page {
  /** From the root of the repository, such as `docs/tracing.md`. */
  readonly path: string;
  readonly text: string;
}

function page(path: string): Page {
  return { path, text: readFileSync(join(root, path), 'utf8') };
}

export const readme = page('README.md');

/** The README and the pages in docs/. The tests run their commands. */
export const guides: readonly Page[] = [
  readme,
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => page(join('docs', name))),
];

/** All pages of the repository. The tests check their links and the files that they name. */
export const pages: readonly Page[] = [
  ...guides,
  page('CHANGELOG.md'),
  page('CONTRIBUTING.md'),
  page('SECURITY.md'),
  page('bench/README.md'),
  page('contracts/README.md'),
  page('contracts/template/README.md'),
];

/** The commands of a page's console blocks with a mark, or of those without one. */
export function steps({ path, text }: Page, mark?: Mark): Step[] {
  const found: Step[] = [];
  const blocks = /(?:^<!-- (.+) -->\n)?^```console\n([\s\S]*?)^```$/gm;
  for (const [, given, block = ''] of text.matchAll(blocks)) {
    if (given !== undefined && !MARKS.some((known) => known === given)) {
      throw new Error(`${path}: a console block is marked ${given}`);
    }
    if (given !== mark) continue;
    for (const part of block.split(/^\$ /m).slice(1)) {
      const end = part.indexOf('\n');
      found.push({ command: part.slice(0, end), output: part.slice(end + 1) });
    }
  }
  return found;
}

/** A program made of a page's JavaScript blocks with the mark `run`, and the lines that it is to print. */
export interface Program {
  readonly code: string;
  /** The texts of its comments `// → …`, in order. */
  readonly output: readonly string[];
}

/** The program of a page; undefined if it has none. */
export function program({ path, text }: Page): Program | undefined {
  const blocks = [...text.matchAll(/^<!-- run -->\n```(\w+)\n([\s\S]*?)^```$/gm)];
  if (blocks.length === 0) return undefined;
  const other = blocks.find(([, language]) => language !== 'js');
  if (other !== undefined) throw new Error(`${path}: a block in ${other[1]} is marked run`);
  const code = blocks.map(([, , block]) => block).join('\n');
  return { code, output: [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, line = '']) => line) };
}

/** The link anchors that GitHub makes of headings. */
export function anchors(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
}
