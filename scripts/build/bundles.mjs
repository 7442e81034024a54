// Bundles what the command line and the node's threads load into dist/bundle/, so that a thread loads one file and not
// hundreds. The entries are src/main.ts and each module that src/ names as `new URL('…', import.meta.url)`; all stand
// beside each other, and the names of modules in the bundles are changed to fit.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { DIST, isNewerThan, ROOT } from './places.mjs';
import { MAIN, MODULE_URL, threadEntries } from './thread-entries.mjs';

const BUNDLES = join(DIST, 'bundle');
/** The files that the last bundles were made of. */
const INPUTS = join(DIST, 'bundle-inputs.json');

/**
 * Libraries that stay outside: those with binaries, those that read files beside their own, and @peculiar/*, whose classes
 * are undefined in a bundle when modules are loaded on demand.
 */
const EXTERNAL = [
  '@bull-board/*',
  '@chainsafe/*',
  '@nxtedition/rocksdb',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-base',
  '@peculiar/*',
  'assemblyscript',
  'bullmq',
  'esbuild',
  'ioredis',
  'msgpackr',
  'pino',
  'pino-pretty',
  'piscina',
  'secp256k1',
  'sodium-native',
  'uWebSockets.js*',
];

const COMMON = {
  absWorkingDir: ROOT,
  outdir: BUNDLES,
  entryNames: '[name]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  external: EXTERNAL,
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  minifyWhitespace: true,
  minifySyntax: true,
  sourcesContent: false,
  metafile: true,
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [{ name: 'flat-urls', setup: flattenUrls }],
};
const MODULES = {
  ...COMMON,
  format: 'esm',
  // Bundled CommonJS libraries require modules of Node.
  banner: {
    js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
  },
};

/** Writes the bundles unless they are newer than everything that they are made of. */
export async function buildBundles() {
  if (existsSync(INPUTS) && isNewerThan(INPUTS, JSON.parse(readFileSync(INPUTS, 'utf8')))) return;
  rmSync(BUNDLES, { recursive: true, force: true });
  const threads = threadEntries();
  const isCommonJs = (path) => path.endsWith('.cts');
  const results = await Promise.all([
    // Each command is a part of its own, which the others do not load.
    build({ ...MODULES, entryPoints: [MAIN], splitting: true }),
    build({ ...MODULES, entryPoints: threads.filter((path) => !isCommonJs(path)) }),
    build({
      ...COMMON,
      entryPoints: threads.filter(isCommonJs),
      format: 'cjs',
      outExtension: { '.js': '.cjs' },
    }),
  ]);
  const inputs = [...new Set(results.flatMap(({ metafile }) => Object.keys(metafile.inputs)))];
  writeFileSync(join(BUNDLES, 'LICENSES.txt'), licensesOf(inputs));
  writeFileSync(INPUTS, JSON.stringify([...inputs, 'scripts/build/bundles.mjs', 'package-lock.json']));
}

function flattenUrls({ onLoad }) {
  onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8');
    if (!text.includes('import.meta.url')) return undefined;
    const contents = text.replace(
      MODULE_URL,
      (_all, target) => `new URL('./${basename(target)}js', import.meta.url)`,
    );
    return { contents, loader: 'ts' };
  });
}

/** The licenses of the bundled libraries, each after its name and version. */
function licensesOf(inputs) {
  const folders = inputs.flatMap((path) => path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []);
  return [...new Set(folders)]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
      const file = readdirSync(join(ROOT, folder)).find((each) => /^licen[cs]e/i.test(each));
      const text =
        file === undefined ? `License: ${license}` : readFileSync(join(ROOT, folder, file), 'utf8').trim();
      return `${name} ${version}\n\n${text}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}
