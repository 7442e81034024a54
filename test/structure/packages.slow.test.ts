// The packages heddle-client and heddle-contracts, unpacked beside nothing but their declared dependencies.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  CLIENT_PROGRAM,
  link,
  manifestOf,
  PackedPackages,
  ROOT,
  run,
} from '../support/operations/packed-packages.js';
import { browserBundle } from '../support/pages/browser-bundle.js';

const packages = new PackedPackages();
const { app } = packages;

after(() => packages.remove());

/** Type checks a file of an application for browsers. @returns the compiler's messages */
function typeErrors(name: string, text: string): string {
  writeFileSync(join(app, name), text);
  const flags =
    '--strict --noEmit --target es2023 --lib es2023,dom --module esnext --moduleResolution bundler';
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [compiler, ...flags.split(' '), '--types', '', name];
  return spawnSync(process.execPath, args, { cwd: app, encoding: 'utf8', timeout: 120_000 }).stdout;
}

test('heddle-client installs six small libraries, and works in Node and browsers, with types', async () => {
  packages.tryClient();

  const { text } = await browserBundle(CLIENT_PROGRAM.text, { resolveDir: app, minify: true });
  assert.doesNotMatch(text, /\brequire\(|["']node:/);

  const idl = join(app, 'pair.idl');
  writeFileSync(idl, 'struct Note { data: json; } contract Pair { view sum(a: u64, b: u64) -> u64; }');
  const heddle = join(ROOT, 'dist', 'bundle', 'main.js');
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
  const { dependencies } = packages.install('heddle-contracts');
  const { devDependencies = {}, dependencies: own } = manifestOf(ROOT);
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
