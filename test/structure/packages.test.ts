// The packages heddle-client and heddle-contracts, unpacked beside nothing but their declared dependencies.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { packageRoot } from '../../src/config/package-info.js';
import { browserBundle } from '../support/browser-bundle.js';
import { removeDirectory, temporaryDirectory } from '../support/node-process.js';

const root = packageRoot();
const scratch = temporaryDirectory();
const app = join(scratch, 'app');

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

before(() => {
  mkdirSync(join(app, 'node_modules'), { recursive: true });
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }');
  run(app, process.execPath, join(root, 'scripts', 'packages.mjs'), `--out=${scratch}`);
});

after(() => removeDirectory(scratch));

/** @returns the standard output of a command that must succeed */
function run(cwd: string, command: string, ...args: readonly string[]): string {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    timeout: 120_000,
  });
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Unpacks a package into the application, and links its declared dependencies. */
function install(name: string): Manifest {
  const folder = join(app, 'node_modules', name);
  mkdirSync(folder);
  const archive = join(scratch, `${name}-${manifestOf(root).version}.tgz`);
  run(folder, 'tar', '-xzf', archive, '--strip-components=1');
  const manifest = manifestOf(folder);
  for (const library of Object.keys(manifest.dependencies)) link(library, folder);
  return manifest;
}

function link(library: string, folder: string): void {
  const place = join(folder, 'node_modules', library);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(root, 'node_modules', library), place);
}

/** Type checks a file of an application for browsers. @returns the compiler's messages */
function typeErrors(name: string, text: string): string {
  writeFileSync(join(app, name), text);
  const flags =
    '--strict --noEmit --target es2023 --lib es2023,dom --module esnext --moduleResolution bundler';
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [compiler, ...flags.split(' '), '--types', '', name];
  return spawnSync(process.execPath, args, { cwd: app, encoding: 'utf8', timeout: 120_000 }).stdout;
}

test('heddle-client installs six small libraries, and works in Node, browsers and types', async () => {
  const { dependencies } = install('heddle-client');
  assert.deepEqual(Object.keys(dependencies), [
    '@noble/ciphers',
    '@noble/curves',
    '@noble/hashes',
    '@scure/bip32',
    '@scure/bip39',
    'p-limit',
  ]);
  for (const [library, range] of Object.entries(dependencies)) {
    assert.equal(range, manifestOf(root).dependencies[library], library);
  }

  const program = [
    "import { connect, devAccount, formatAddress } from 'heddle-client';",
    "import * as verify from 'heddle-client/verify';",
    "const client = connect('http://127.0.0.1:1');",
    'console.log(typeof client.status, formatAddress(devAccount(0).address), Object.keys(verify).length > 3);',
  ].join('\n');
  writeFileSync(join(app, 'main.js'), program);
  assert.equal(
    run(app, process.execPath, 'main.js'),
    'function 0x8628ebcb49f661e121feae211f22d5bc9d704dc1 true\n',
  );

  const { text } = await browserBundle(program, { resolveDir: app, minify: true });
  assert.doesNotMatch(text, /\brequire\(|["']node:/);

  const idl = join(app, 'pair.idl');
  writeFileSync(idl, 'struct Note { data: json; } contract Pair { view sum(a: u64, b: u64) -> u64; }');
  const heddle = join(root, 'dist', 'bundle', 'main.js');
  const generate = ['idl', 'generate', '--contract', idl, '--client', 'heddle-client'];
  run(app, process.execPath, heddle, ...generate);
  const call = (b: string) =>
    [
      "import { connect } from 'heddle-client';",
      "import { pairContract } from './pair-contract.js';",
      "const pair = pairContract(connect('http://127.0.0.1:1'), '0x');",
      `export const sum: Promise<bigint> = pair.view('sum', { a: 1n, b: ${b} });`,
    ].join('\n');
  assert.equal(typeErrors('generated.ts', call('2n')), '');
  assert.match(typeErrors('mistaken.ts', call('2')), /mistaken\.ts\(4,\d+\): error TS2322/);

  const typed = "import { connect } from 'heddle-client';\nconst client = connect('http://127.0.0.1:1');\n";
  const right = 'export const height: Promise<bigint> = client.status().then(({ tip }) => tip.height);\n';
  assert.equal(typeErrors('right.ts', typed + right), '');
  assert.match(
    typeErrors('wrong.ts', typed + right.replace('bigint', 'number')),
    /wrong\.ts\(3,\d+\): error TS2322/,
  );
});

test('heddle-contracts creates, builds and tests a contract without the node', () => {
  const { dependencies } = install('heddle-contracts');
  const { devDependencies = {}, dependencies: own } = manifestOf(root);
  assert.deepEqual(Object.keys(dependencies), [
    '@jridgewell/trace-mapping',
    '@noble/curves',
    '@noble/hashes',
    'assemblyscript',
    'commander',
  ]);
  for (const [library, range] of Object.entries(dependencies)) {
    assert.equal(range, { ...devDependencies, ...own }[library], library);
  }

  const program = join(app, 'node_modules', 'heddle-contracts', 'dist', 'src', 'cli', 'contract');
  const main = join(program, 'contracts-main.js');
  assert.match(run(app, process.execPath, main, 'new', 'tally'), /^made tally\/$/m);
  const project = join(app, 'tally');
  assert.deepEqual(Object.keys(manifestOf(project).devDependencies ?? {}).sort(), [
    'assemblyscript',
    'fast-check',
    'heddle-contracts',
  ]);
  link('fast-check', project);
  assert.match(run(app, process.execPath, main, 'build', 'tally'), /^tally\/tally\.wasm, \d+ bytes$/m);
  const tests = readdirSync(join(project, 'test')).map((name) => join('test', name));
  assert.match(run(project, process.execPath, '--test', ...tests), /pass 5/);
});
