// Bundles the explorer, the web page that the node serves at /, into dist/explorer/: index.html and its assets, named
// by content hash, each with a gzip copy.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { DIST, isNewerThan, ROOT } from './places.mjs';

const SOURCES = join(ROOT, 'src', 'explorer');
const SITE = join(DIST, 'explorer');
/** The files that the last bundle was made of. */
const INPUTS = join(DIST, 'explorer-inputs.json');

/** Bundles the explorer unless it is newer than everything that it is made of. */
export async function buildExplorer() {
  if (isUpToDate()) return;
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [join(SOURCES, 'main.tsx'), join(SOURCES, 'styles', 'main.css')],
    outdir: join(SITE, 'assets'),
    entryNames: '[hash]',
    chunkNames: '[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'eof',
    logLevel: 'warning',
  });
  const page = readFileSync(join(SOURCES, 'index.html'), 'utf8')
    .replace('main.css', `assets/${builtFrom('src/explorer/styles/main.css', metafile)}`)
    .replace('main.js', `assets/${builtFrom('src/explorer/main.tsx', metafile)}`);

  rmSync(SITE, { recursive: true, force: true });
  mkdirSync(join(SITE, 'assets'), { recursive: true });
  writeWithGzip(join(SITE, 'index.html'), Buffer.from(page));
  for (const { path, contents } of outputFiles) writeWithGzip(path, contents);
  const inputs = ['src/explorer/index.html', 'scripts/build/explorer.mjs', ...Object.keys(metafile.inputs)];
  writeFileSync(INPUTS, JSON.stringify(inputs));
}

function isUpToDate() {
  if (!existsSync(INPUTS)) return false;
  return isNewerThan(INPUTS, JSON.parse(readFileSync(INPUTS, 'utf8')));
}

/** The built file of an entry point. */
function builtFrom(entry, metafile) {
  const found = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry);
  if (found === undefined) throw new Error(`esbuild wrote nothing for ${entry}`);
  return basename(found[0]);
}

function writeWithGzip(path, contents) {
  writeFileSync(path, contents);
  writeFileSync(`${path}.gz`, gzipSync(contents, { level: 9 }));
}
