// Compiles each TypeScript module to its own file in dist/ with esbuild, which strips the types without checking them.
// Only files that changed are compiled: without changes this takes a tenth of a second.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { DIST, isNewerThan, ROOT } from './places.mjs';
import { threadEntries } from './thread-entries.mjs';

const FOLDERS = ['src', 'workers', 'native-free', 'bench', 'test'];
/** What decides how every file is compiled. */
const SETTINGS = ['tsconfig.json', 'package-lock.json', 'scripts/build/modules.mjs'];
const SOURCE = /(?<!\.d)\.(c?)ts$/;
const OUTPUT = /\.c?js(\.map)?$/;

/** Compiles what has changed, and removes the output of sources that no longer exist. */
export async function compileModules() {
  const entries = threadEntries().filter((path) => !path.endsWith('.cts'));
  // The module that an entry's own name stands for chooses between the entry and its bundle.
  const outputOf = (path) => path.replace(SOURCE, entries.includes(path) ? '.module.$1js' : '.$1js');
  const sources = listed(ROOT, SOURCE);
  removeOrphans(new Set([...sources.map(outputOf), ...entries.map((path) => path.replace(SOURCE, '.js'))]));
  const stale = sources.filter((path) => !isNewerThan(join(DIST, outputOf(path)), [path, ...SETTINGS]));
  for (const path of entries) if (stale.includes(path)) writeChoice(path);
  const isCommonJs = (path) => path.endsWith('.cts');
  const named = (path) => ({ in: path, out: outputOf(path).replace(/\.c?js$/, '') });
  await compile(stale.filter(isCommonJs).map(named), { format: 'cjs', outExtension: { '.js': '.cjs' } });
  await compile(stale.filter((path) => !isCommonJs(path)).map(named), { format: 'esm' });
}

async function compile(entryPoints, options) {
  if (entryPoints.length === 0) return;
  await build({
    absWorkingDir: ROOT,
    entryPoints,
    outdir: DIST,
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    ...options,
  });
}

/**
 * Makes the threads of a program that runs from single modules, such as a test, load their bundles, in half the time. Tests
 * that replace parts of modules set UNBUNDLED_THREADS=1, because a bundle has copies of them.
 */
function writeChoice(path) {
  const [single, file] = [`${basename(path, '.ts')}.module.js`, join(DIST, path.replace(SOURCE, '.js'))];
  const bundle = relative(dirname(file), join(DIST, 'bundle', `${basename(path, '.ts')}.js`));
  const text = readFileSync(join(ROOT, path), 'utf8');
  const names = [...text.matchAll(/^export (?:async )?(?:const|function) (\w+)/gm)].map(([, name]) => name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `const module = await import(process.env.UNBUNDLED_THREADS === '1' ? './${single}' : '${bundle}');\n` +
      `export const { ${names.join(', ')} } = module;\n`,
  );
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
