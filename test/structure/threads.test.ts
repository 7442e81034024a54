import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../src/config/package-info.js';
import { architecture } from '../support/operations/architecture.js';

const root = packageRoot();
const sources = ['src', 'native-free', 'workers'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
);

/** Starts threads for its callers, which name the scripts. */
const SHARED_STARTER = 'src/async/service-thread.ts';

/** The thread scripts that a file starts. */
function startedBy({ path, text }: { readonly path: string; readonly text: string }): string[] {
  if (path === SHARED_STARTER || !/new (?:Worker|Piscina|ServiceThread)\b/.test(text)) return [];
  const found = [...text.matchAll(/new URL\('([^']+)\.js', import\.meta\.url\)/g)].map(([, script = '']) =>
    normalize(join(dirname(path), `${script}.ts`)),
  );
  assert.notEqual(found.length, 0, `${path} starts a thread from a script that this test cannot find`);
  return found;
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

test('docs/architecture.json names every thread entry point', () => {
  const workers = readdirSync(join(root, 'workers')).map((name) => join('workers', name));
  assert.deepEqual(
    distinct(architecture.threads.map(({ entry }) => entry)),
    distinct(['src/main.ts', ...workers, ...sources.flatMap(startedBy)]),
  );
});

test('docs/architecture.json names every worker pool of a node', () => {
  const made = sources.flatMap(({ text }) =>
    [...text.matchAll(/(\w+)(?: =|:) new ExecutionPool\(/g)].map(([, name = '']) => name),
  );
  assert.deepEqual(distinct(architecture.threads.flatMap(({ pool }) => pool ?? [])), distinct(made));
});

test('the architecture picture and tables match docs/architecture.json', () => {
  const run = spawnSync(process.execPath, [join(root, 'scripts/architecture.mjs'), '--check'], {
    encoding: 'utf8',
  });
  assert.equal(run.status, 0, run.stderr);
});
