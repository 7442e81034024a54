// Compiles each TypeScript module to its own file in dist/ with esbuild, which strips the types without checking them.
// Only files that changed are compiled: without changes this takes a tenth of a second.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { DIST, isNewerThan, ROOT } from './places.mjs';

const FOLDERS = ['src', 'workers', 'native-free', 'bench', 'test'];
/** What decides how every file is compiled. */
const SETTINGS = ['tsconfig.json', 'package-lock.json', 'scripts/build/modules.mjs'];
const SOURCE = /(?<!\.d)\.(c?)ts$/;
const OUTPUT = /\.c?js(\.map)?$/;

/**
 * Compiles what has changed, and removes the output of sources that no longer exist.
 * @returns the number of compiled files
 */
export async function compileModules() {
  const sources = listed(ROOT, SOURCE);
  removeOrphans(new Set(sources.map(outputOf)));
  const stale = sources.filter((path) => !isNewerThan(join(DIST, outputOf(path)), [path, ...SETTINGS]));
  await compile(
    stale.filter((path) => path.endsWith('.cts')),
    { format: 'cjs', outExtension: { '.js': '.cjs' } },
  );
  await compile(
    stale.filter((path) => !path.endsWith('.cts')),
    { format: 'esm' },
  );
  return stale.length;
}

async function compile(paths, options) {
  if (paths.length === 0) return;
  await build({
    absWorkingDir: ROOT,
    entryPoints: paths,
    outbase: ROOT,
    outdir: DIST,
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    ...options,
  });
}

function outputOf(path) {
  return path.replace(SOURCE, '.$1js');
}

/** Files of the folders whose names match, relative to `base`. */
function listed(base, pattern) {
  return FOLDERS.filter((folder) => existsSync(join(base, folder))).flatMap((folder) =>
    readdirSync(join(base, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => pattern.test(name))
      .map((name) => join(folder, name)),
  );
}

function removeOrphans(expected) {
  for (const path of listed(DIST, OUTPUT)) {
    if (!expected.has(path.replace(/\.map$/, ''))) rmSync(join(DIST, path));
  }
}
