import { existsSync, readFileSync } from 'node:fs';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';

/** The URL of the folder that the build writes. */
const BUILT = /^.*\/dist\//.exec(import.meta.url)?.[0] ?? '';
const FRAME = /^( +at .*?\(?)((?:file:\/\/)?\/[^():]+\.c?js):(\d+):(\d+)/gm;

/** Source maps by the URL of the built file; undefined for a file without one. */
const maps = new Map<string, TraceMap | undefined>();

/**
 * Replaces positions in built files by those in the sources, such as `src/node.ts:80:9`, relative to the package. Positions
 * in other files stay. Reads a source map when a frame first needs it, so errors cost nothing until they are printed.
 * @param stack an error's stack, which may be of another thread
 */
export function withSourcePositions(stack: string): string {
  return stack.replace(FRAME, (frame, before: string, file: string, line: string, column: string) => {
    const url = file.startsWith('/') ? `file://${file}` : file;
    const map = BUILT !== '' && url.startsWith(BUILT) ? mapOf(url) : undefined;
    if (map === undefined) return frame;
    // Columns of stacks count from 1, those of source maps from 0.
    const found = originalPositionFor(map, { line: Number(line), column: Number(column) - 1 });
    if (found.source === null) return frame;
    const root = BUILT.slice(0, -'dist/'.length);
    const source = found.source.startsWith(root) ? found.source.slice(root.length) : found.source;
    return `${before}${source}:${found.line}:${found.column + 1}`;
  });
}

/** The stack of a thrown value with positions in the sources, or its message if it has none, for a log. */
export function errorStack(thrown: unknown): string {
  return thrown instanceof Error ? withSourcePositions(thrown.stack ?? thrown.message) : String(thrown);
}

function mapOf(url: string): TraceMap | undefined {
  if (!maps.has(url)) {
    const path = new URL(`${url}.map`);
    maps.set(url, existsSync(path) ? new TraceMap(readFileSync(path, 'utf8'), path.href) : undefined);
  }
  return maps.get(url);
}
