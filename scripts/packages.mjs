// Assembles the packages heddle-client and heddle-contracts from dist/ into .build/packages/NAME, and packs them into
// .build/packages/NAME-VERSION.tgz. A package has the modules that its exports and programs reach, and depends on
// the libraries they import, in the ranges of the root's package.json. Needs a build.
// usage: node scripts/packages.mjs [--out=FOLDER] [NAME…]
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const options = process.argv.slice(2);
const out =
  options.find((option) => option.startsWith('--out='))?.slice(6) ?? join(root, '.build', 'packages');
const wanted = options.filter((option) => !option.startsWith('--'));
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const own = readJson(join(root, 'package.json'));
const ranges = { ...own.devDependencies, ...own.dependencies };

/** Further files of a package, by its folder in packages/. */
const FILES = {
  client: [],
  contracts: ['contracts/README.md', 'contracts/sdk', 'contracts/template'],
};

/** Node's own modules that the client may not import. */
const BROWSER = new Set(['client']);

for (const [name, files] of Object.entries(FILES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const manifest = readJson(join(root, 'packages', name, 'package.json'));
  const folder = join(out, manifest.name);
  rmSync(folder, { recursive: true, force: true });
  const entries = entriesOf(manifest);
  const { modules, libraries, builtins } = await closureOf(entries);
  if (BROWSER.has(name) && builtins.length > 0) {
    throw new Error(`packages/${name}: browsers have no ${builtins.join(', ')}`);
  }
  for (const path of [...modules, ...declarationsOf(entries, libraries)])
    copyModule(path, folder, manifest.name);
  for (const path of [...files, 'LICENSE']) {
    cpSync(join(root, path), join(folder, path), { recursive: true, filter: (from) => !isBuilt(from) });
  }
  cpSync(join(root, 'packages', name, 'README.md'), join(folder, 'README.md'));
  const { version, license, engines } = own;
  const dependencies = Object.fromEntries(
    [...libraries].sort().map((library) => [library, rangeOf(library)]),
  );
  const { name: packageName, description, keywords, ...rest } = manifest;
  const written = {
    name: packageName,
    version,
    description,
    keywords,
    license,
    engines,
    ...rest,
    dependencies,
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(written, null, 2)}\n`);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', out], { cwd: folder, stdio: 'ignore' });
  console.log(`wrote ${relative(process.cwd(), join(out, `${manifest.name}-${version}.tgz`))}`);
}

function entriesOf({ exports, bin = {} }) {
  const exported = Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' ? [] : [entry.default],
  );
  return [...exported, ...Object.values(bin)].map((path) => path.replace(/^\.\//, ''));
}

/** Modules reached by static and dynamic imports, with the libraries and modules of Node that they import. */
async function closureOf(entryPoints) {
  const { metafile } = await build({
    entryPoints,
    absWorkingDir: root,
    outdir: 'not-written',
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  const imported = Object.values(metafile.inputs)
    .flatMap(({ imports }) => imports)
    .filter(({ external }) => external)
    .map(({ path }) => path);
  const isBuiltin = (path) => path.startsWith('node:') || builtinModules.includes(path);
  return {
    modules: Object.keys(metafile.inputs),
    libraries: new Set(imported.filter((path) => !isBuiltin(path)).map(libraryOf)),
    builtins: [...new Set(imported.filter(isBuiltin))],
  };
}

/** The declaration files that those of the entries import; adds the libraries that they name. */
function declarationsOf(entries, libraries) {
  const found = new Set(entries.map((path) => path.replace(/\.js$/, '.d.ts')));
  for (const path of found) {
    const text = readFileSync(join(root, path), 'utf8').replaceAll(/^\s*\/?\*.*$/gm, '');
    for (const [, specifier] of text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)['"]([^'"\n]+)['"]/g)) {
      if (specifier.startsWith('.')) found.add(join(dirname(path), specifier).replace(/\.js$/, '.d.ts'));
      else if (!specifier.startsWith('node:')) libraries.add(libraryOf(specifier));
    }
  }
  return found;
}

function libraryOf(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function rangeOf(library) {
  const range = ranges[library];
  if (range === undefined)
    throw new Error(`${library} is imported, but package.json has it in no dependencies`);
  return range;
}

/** Copies a compiled file without the link to its source map, which the package lacks. */
function copyModule(path, folder, packageName) {
  const to = join(folder, path);
  mkdirSync(dirname(to), { recursive: true });
  const text = readFileSync(join(root, path), 'utf8').replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n');
  // Examples in doc comments import the package by its name.
  const named = packageName.replace('-', '/');
  const shown = path.endsWith('.d.ts') ? text.replaceAll(named, packageName) : text;
  writeFileSync(to, shown);
}

function isBuilt(path) {
  return existsSync(path) && /[/\\](?:node_modules|generated)$|\.wasm$/.test(path);
}
