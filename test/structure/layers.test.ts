import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../src/config/package-info.js';

/** From the ground up; a folder's files import only from their own row or a lower one. */
const LAYERS = [
  ['src/async', 'src/idl', 'src/crypto', 'src/storage', 'src/config', 'src/generated', 'native-free'],
  ['src/ledger', 'src/vm', 'src/wasm'],
  ['src/execution', 'src/proofs', 'src/contract-sdk'],
  ['workers'],
  ['src/mempool', 'src/chain'],
  ['src/consensus', 'src/sync', 'src/network'],
  ['src/rpc', 'src/client', 'src/log.ts'],
  ['src/load'],
  ['src/node.ts', 'src/node'],
  ['src/cli'],
  ['src/main.ts'],
] as const;

/** The HTTP twin implements an interface of the RPC layer; types alone may point up from a twin. */
const TYPE_ONLY_EXCEPTIONS = [{ from: 'native-free/http', to: 'src/rpc/http-server.ts' }];

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

const root = packageRoot();

function sourceFiles(): string[] {
  return ['src', 'workers', 'native-free'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found: Import[] = [];
  const pattern = /^(?:import|export)\s+(type\s)?[^;]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/gm;
  for (const [, typeOnly, fixed, dynamic] of text.matchAll(pattern)) {
    const target = fixed ?? dynamic;
    if (target === undefined) continue;
    const to = normalize(join(dirname(file), target)).replace(/\.js$/, '.ts');
    found.push({ from: file, to, typeOnly: typeOnly !== undefined });
  }
  return found;
}

function layerOf(file: string): number {
  const place = relative('.', file);
  return LAYERS.findIndex((row) =>
    row.some((entry) => place === entry || (!entry.endsWith('.ts') && place.startsWith(`${entry}/`))),
  );
}

const imports = sourceFiles().flatMap(importsOf);

test('every source file belongs to a layer', () => {
  assert.deepEqual(
    sourceFiles().filter((file) => layerOf(file) < 0),
    [],
  );
});

test('no file imports from a layer above its own', () => {
  const upward = imports.filter(({ from, to, typeOnly }) => {
    const excepted = TYPE_ONLY_EXCEPTIONS.some((rule) => from.startsWith(rule.from) && to === rule.to);
    return layerOf(to) > layerOf(from) && !(typeOnly && excepted);
  });
  assert.deepEqual(
    upward.map(({ from, to }) => `${from} → ${to}`),
    [],
  );
});

test('imports form no cycle', () => {
  const targets = new Map<string, string[]>();
  for (const { from, to, typeOnly } of imports) {
    if (!typeOnly) targets.set(from, [...(targets.get(from) ?? []), to]);
  }
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): void => {
    const start = path.indexOf(file);
    assert.equal(start, -1, `cycle: ${[...path.slice(start), file].join(' → ')}`);
    if (done.has(file)) return;
    path.push(file);
    for (const target of targets.get(file) ?? []) visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of targets.keys()) visit(file);
});

test('only the storage layer imports the RocksDB binding, only crypto and http their native packages', () => {
  const owners: Readonly<Record<string, RegExp>> = {
    '@nxtedition/rocksdb': /^src\/storage\/native\//,
    'sodium-native': /^src\/crypto\/native\//,
    secp256k1: /^src\/crypto\/native\//,
    '@chainsafe/hashtree': /^src\/crypto\/native\//,
    'uWebSockets.js': /^src\/rpc\/native\//,
  };
  for (const file of sourceFiles()) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const [name, owner] of Object.entries(owners)) {
      if (owner.test(file)) continue;
      assert.ok(
        !text.includes(`from '${name}'`) && !text.includes(`import('${name}')`),
        `${file} imports ${name}`,
      );
    }
  }
});
