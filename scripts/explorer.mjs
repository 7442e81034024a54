// Bundles the explorer, the web page that the node serves at /, into dist/explorer/: index.html and its assets, named
// by content hash, each with a gzip copy. Prints the sizes with --sizes.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const sources = join(root, 'src', 'explorer');
const site = join(root, 'dist', 'explorer');

const { outputFiles, metafile } = await build({
  absWorkingDir: root,
  entryPoints: [join(sources, 'main.tsx'), join(sources, 'styles', 'main.css')],
  outdir: join(site, 'assets'),
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

/** The built file of an entry point. */
function fileOf(entry) {
  const found = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry);
  if (found === undefined) throw new Error(`esbuild wrote nothing for ${entry}`);
  return basename(found[0]);
}

const page = readFileSync(join(sources, 'index.html'), 'utf8')
  .replace('main.css', `assets/${fileOf('src/explorer/styles/main.css')}`)
  .replace('main.js', `assets/${fileOf('src/explorer/main.tsx')}`);

rmSync(site, { recursive: true, force: true });
mkdirSync(join(site, 'assets'), { recursive: true });
const files = [
  [join(site, 'index.html'), Buffer.from(page)],
  ...outputFiles.map(({ path, contents }) => [path, contents]),
];
for (const [path, contents] of files) {
  const gzipped = gzipSync(contents, { level: 9 });
  writeFileSync(path, contents);
  writeFileSync(`${path}.gz`, gzipped);
  if (process.argv.includes('--sizes')) {
    console.log(`${path.slice(site.length + 1)}  ${contents.length} bytes, ${gzipped.length} gzipped`);
  }
}
