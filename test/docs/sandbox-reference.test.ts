// docs/sandbox.md has every export of heddle/contracts, and its examples run.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as contracts from '../../src/contract-sdk/contracts.js';
import { removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';
import { checkPage, PageScriptCopy } from '../support/pages/page-script.js';
import { prepareCheckout, runProgram } from './follow-commands.js';
import { guides, program } from './pages.js';

const page =
  guides.find(({ path }) => path === 'docs/sandbox.md') ?? assert.fail('there is no docs/sandbox.md');
const SCRIPT = 'scripts/sandbox.mjs';
const copy = new PageScriptCopy(SCRIPT, [
  'scripts/doc-comments.mjs',
  'scripts/generated-pages.mjs',
  'src/base/errors.ts',
  'src/contract-sdk',
  'src/idl/abi',
  'src/idl/json-value.ts',
  'src/vm/engine.ts',
  'src/vm/errors.ts',
  page.path,
  'biome.json',
  'node_modules/.bin/biome',
]);
const checkout = temporaryDirectory();

after(() => {
  copy.remove();
  removeDirectory(checkout);
});

test('docs/sandbox.md has the current signatures and meanings', () => {
  const { status, stderr } = checkPage(SCRIPT);
  assert.equal(status, 0, stderr);
});

test('a member is reported if the page lacks it, or if its doc comment is missing or differs', () => {
  const sandbox = 'src/contract-sdk/sandbox.ts';
  const added = copy.checkChanged(sandbox, '  /** Watches', '  /** New. */\n  added = 1;\n  /** Watches');
  assert.match(added.stderr, /docs\/sandbox\.md needs these parts.*ContractSandbox\.added/);
  const comment = '  /** Watches frames and events of later calls; must not call the sandbox. */\n';
  const none = copy.checkChanged(sandbox, comment, '');
  assert.match(none.stderr, /no doc comment for ContractSandbox\.observer/);
  const stale = copy.checkChanged(sandbox, 'Advances the clock', 'Moves the clock');
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

test('the examples of docs/sandbox.md print what the page says', async () => {
  // Compiling takes long: test/docs/commands.slow.test.ts runs the whole program.
  const [quick = ''] = page.text.split('\n## Build\n');
  const code = program({ ...page, text: quick }) ?? assert.fail('the page has no program');
  prepareCheckout(page, checkout);
  await runProgram(page, code, { directory: checkout, url: '' });
});
