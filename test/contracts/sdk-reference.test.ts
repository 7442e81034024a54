import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { packageRoot } from '../../src/config/package-info.js';
import { checkPage, PageScriptCopy } from '../support/pages/page-script.js';

const root = packageRoot();
const SCRIPT = 'scripts/sdk.mjs';
const modules = ['doc-comments', 'generated-pages'].map((name) => `scripts/${name}.mjs`);
const copy = new PageScriptCopy(SCRIPT, [...modules, 'contracts/sdk', 'docs/sdk.md']);

after(() => copy.remove());

test('the reference of the SDK is current, and documents every exported function and method', () => {
  const { status, stderr } = checkPage(SCRIPT);
  assert.equal(status, 0, stderr);
  const page = readFileSync(join(root, 'docs', 'sdk.md'), 'utf8');
  const names = [...readFileSync(join(root, 'contracts', 'sdk', 'index.ts'), 'utf8').matchAll(/\{([^}]*)\}/g)]
    .flatMap(([, list = '']) => list.split(','))
    .map((name) => name.trim())
    .filter((name) => /^\w+$/.test(name));
  assert.ok(names.length > 40);
  for (const name of names) assert.match(page, new RegExp(`^(?:### \`|\\| \`)${name}\\b`, 'm'), name);
});

test('an exported function or method without a doc comment is named', () => {
  const noFunction = copy.checkChanged('contracts/sdk/context.ts', '/** Id of the chain. */\n', '');
  assert.match(noFunction.stderr, /no doc comment for chainId\n/);
  const noMethod = copy.checkChanged('contracts/sdk/storage.ts', '  /** Releases the lock. */\n', '');
  assert.match(noMethod.stderr, /no doc comment for Lock\.release/);
});

test('a changed doc comment makes the page stale', () => {
  const { status, stderr } = copy.checkChanged(
    'contracts/sdk/context.ts',
    'Id of the chain.',
    'The id of the chain.',
  );
  assert.equal(status, 1);
  assert.match(stderr, /docs\/sdk\.md does not match contracts\/sdk: run npm run docs/);
});
