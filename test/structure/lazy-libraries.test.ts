import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../src/config/package-info.js';

const root = packageRoot();

/** Files and packages loaded together with a file, and the importer of each. */
function loadedWith(entry: string): Map<string, string> {
  const loaded = new Map<string, string>([[entry, '']]);
  for (const file of loaded.keys()) {
    if (!file.endsWith('.ts')) continue;
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, specifier = ''] of text.matchAll(
      /^(?:import|export)\s(?!type\s)[^;]*?from\s+'([^']+)'/gm,
    )) {
      const target = specifier.startsWith('.')
        ? normalize(join(dirname(file), specifier)).replace(/\.js$/, '.ts')
        : specifier;
      if (!loaded.has(target)) loaded.set(target, file);
    }
  }
  return loaded;
}

// Fewer modules would mean that the imports were not parsed.
for (const [entry, least] of [
  ['src/main.ts', 10],
  ['src/cli/node/start.ts', 20],
  ['src/node.ts', 20],
  ['workers/execution-worker.ts', 20],
  ['workers/proof-worker.ts', 20],
  ['workers/old-proof-worker.ts', 20],
] as const) {
  test(`${entry} loads no pairing library at start: they load slowly, and most threads never need one`, () => {
    const loaded = loadedWith(entry);
    assert.ok(loaded.size > least, `${loaded.size} modules`);
    for (const library of ['@noble/curves/bls12-381.js', '@chainsafe/blst']) {
      assert.equal(loaded.get(library), undefined, `${library} is loaded by ${loaded.get(library)}`);
    }
  });
}

// A folder of results is opened by the commands of the farm only, and few of them write Parquet.
for (const [entry, least] of [
  ['src/main.ts', 10],
  ['src/farm/results/folder.ts', 10],
  ['src/farm/results/stream-target.ts', 5],
] as const) {
  test(`${entry} loads no Parquet library at start`, () => {
    const loaded = loadedWith(entry);
    assert.ok(loaded.size > least, `${loaded.size} modules`);
    assert.equal(loaded.get('hyparquet-writer'), undefined);
  });
}
