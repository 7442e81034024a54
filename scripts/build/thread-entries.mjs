import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ROOT } from './places.mjs';

/** How `src/` names a module that a thread or a process starts with; the group is its path without the extension `js`. */
export const MODULE_URL = /new URL\('(\.[^']+\.c?)js', import\.meta\.url\)/g;
/** The entry of the command line. */
export const MAIN = 'src/main.ts';

/** The source files that threads start with, relative to the root. @throws Error if two have the same name */
export function threadEntries() {
  const found = new Set();
  for (const name of readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    for (const [, target] of readFileSync(join(ROOT, 'src', name), 'utf8').matchAll(MODULE_URL)) {
      found.add(join('src', dirname(name), `${target}ts`));
    }
  }
  found.delete(MAIN);
  const names = [MAIN, ...found].map((path) => basename(path));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two threads start with a file named ${twice}; rename one`);
  return [...found];
}
