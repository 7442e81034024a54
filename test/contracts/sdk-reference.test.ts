import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { packageRoot } from '../../src/config/package-info.js';
import { removeDirectory, temporaryDirectory } from '../support/node-process.js';

const root = packageRoot();
const copy = temporaryDirectory();

before(() => {
  const scripts = ['sdk', 'doc-comments', 'generated-pages'].map((name) => `scripts/${name}.mjs`);
  for (const path of [...scripts, 'contracts/sdk', 'docs/sdk.md']) {
    mkdirSync(join(copy, path, '..'), { recursive: true });
    cpSync(join(root, path), join(copy, path), { recursive: true });
  }
});

after(() => removeDirectory(copy));

function check(folder: string): { readonly status: number | null; readonly stderr: string } {
  const script = join(folder, 'scripts', 'sdk.mjs');
  return spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
}

/** Checks the copy with a changed module of the SDK. */
function checkChanged(file: string, from: string, to: string): ReturnType<typeof check> {
  const path = join(copy, 'contracts', 'sdk', file);
  const text = readFileSync(path, 'utf8');
  assert.ok(text.includes(from), from);
  writeFileSync(path, text.replace(from, to));
  const result = check(copy);
  writeFileSync(path, text);
  return result;
}

test('the reference of the SDK is current, and documents every exported function and method', () => {
  const { status, stderr } = check(root);
  assert.equal(status, 0, stderr);
  const page = readFileSync(join(root, 'docs', 'sdk.md'), 'utf8');
  const names = [...readFileSync(join(root, 'contracts', 'sdk', 'index.ts'), 'utf8').matchAll(/\{([^}]*)\}/g)]
    .flatMap(([, list = '']) => list.split(','))
    .map((name) => name.trim())
    .filter((name) => /^\w+$/.test(name));
  assert.ok(names.length > 40);
  for (const name of names) assert.match(page, new RegExp(`^(?:### \`|\\| \`)${name}\\b`, 'm'), name);
});

test('an exported function or method without doc comment is named', () => {
  const noFunction = checkChanged('context.ts', '/** Id of the chain. */\n', '');
  assert.match(noFunction.stderr, /no doc comment for chainId\n/);
  const noMethod = checkChanged('storage.ts', '  /** Releases the lock. */\n', '');
  assert.match(noMethod.stderr, /no doc comment for Lock\.release/);
});

test('a changed doc comment makes the page stale', () => {
  const { status, stderr } = checkChanged('context.ts', 'Id of the chain.', 'The id of the chain.');
  assert.equal(status, 1);
  assert.match(stderr, /docs\/sdk\.md does not match contracts\/sdk: run npm run docs/);
});
