// docs/sandbox.md has every export of heddle/contracts, and its examples run.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import * as contracts from '../../src/contract-sdk/contracts.js';
import { removeDirectory, temporaryDirectory } from '../support/node-process.js';
import { prepareCheckout, runProgram } from './follow-commands.js';
import { guides, program, root } from './pages.js';

const page =
  guides.find(({ path }) => path === 'docs/sandbox.md') ?? assert.fail('there is no docs/sandbox.md');
const directory = temporaryDirectory();
const SCRIPTS = ['sandbox', 'doc-comments', 'generated-pages'].map((name) => `scripts/${name}.mjs`);
const SOURCES = [
  'src/base/errors.ts',
  'src/contract-sdk',
  'src/idl/abi',
  'src/idl/json-value.ts',
  'src/vm/engine.ts',
  'src/vm/errors.ts',
];
const copy = join(directory, 'copy');

before(() => {
  for (const path of [...SCRIPTS, ...SOURCES, 'docs/sandbox.md', 'biome.json', 'node_modules/.bin/biome']) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(root, path), join(copy, path), { recursive: true });
  }
});

after(() => removeDirectory(directory));

function check(folder: string): { readonly status: number | null; readonly stderr: string } {
  const script = join(folder, 'scripts', 'sandbox.mjs');
  return spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
}

/** Checks the copy with a changed source. */
function checkChanged(path: string, from: string, to: string): ReturnType<typeof check> {
  const text = readFileSync(join(copy, path), 'utf8');
  assert.ok(text.includes(from), from);
  writeFileSync(join(copy, path), text.replace(from, to));
  const result = check(copy);
  writeFileSync(join(copy, path), text);
  return result;
}

test('the signatures and meanings of docs/sandbox.md are current', () => {
  assert.deepEqual([check(root).status, check(copy).status], [0, 0], check(root).stderr);
});

test('a member that is not on the page, or without doc comment, or with another one, is reported', () => {
  const sandbox = 'src/contract-sdk/sandbox.ts';
  const added = checkChanged(sandbox, '  /** Watches', '  /** New. */\n  added = 1;\n  /** Watches');
  assert.match(added.stderr, /docs\/sandbox\.md needs these parts.*ContractSandbox\.added/);
  const comment = '  /** Watches frames and events of later calls; must not call the sandbox. */\n';
  assert.match(checkChanged(sandbox, comment, '').stderr, /no doc comment for ContractSandbox\.observer/);
  const stale = checkChanged(sandbox, 'Advances the clock', 'Moves the clock');
  assert.match(stale.stderr, /docs\/sandbox\.md does not match .*: run npm run docs/);
});

test('every class and function that heddle/contracts exports, and every member, has a part and an example', () => {
  const { ContractSandbox, SandboxContract } = contracts;
  const internal = ['call', 'emit', 'holdOutput'];
  const members = [ContractSandbox, SandboxContract].flatMap(({ name, prototype }) =>
    [prototype, Object.getPrototypeOf(prototype) as object]
      .filter((each) => each !== Object.prototype)
      .flatMap((each) => Object.getOwnPropertyNames(each))
      .filter(
        (member) => member !== 'constructor' && !(name === 'ContractSandbox' && internal.includes(member)),
      )
      .map((member) => `${name}.${member}`),
  );
  assert.ok(members.length > 15);
  const code = program(page)?.code ?? '';
  for (const name of [...Object.keys(contracts), ...members]) {
    assert.ok(page.text.includes(`<!-- ${name}: from `), name);
    if (name === 'SandboxContract' || name === 'CodeRefused' || name === 'ContractError') continue;
    assert.match(code, new RegExp(`\\b${name.split('.').at(-1)}\\b`), `no example uses ${name}`);
  }
});

test('the examples of docs/sandbox.md print what it says', async () => {
  // Compiling takes long: test/docs/commands.slow.test.ts runs the whole program.
  const [quick = ''] = page.text.split('\n## Build\n');
  const code = program({ ...page, text: quick }) ?? assert.fail('the page has no program');
  const checkout = join(directory, 'checkout');
  mkdirSync(checkout);
  prepareCheckout(page, checkout);
  await runProgram(page, code, { directory: checkout, url: '' });
});
