import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../src/config/package-info.js';
import { architecture } from '../support/operations/architecture.js';

/** Lowest first; files of a folder import only from their own layer or a lower one. */
const LAYERS = architecture.layers.map(({ folders }) => Object.keys(folders));

/** The HTTP fallback implements interfaces of the RPC layer; only types may point up from a fallback. */
const TYPE_ONLY_EXCEPTIONS = [{ from: 'native-free/http', to: 'src/rpc/http/http-server.ts' }];

/**
 * Imports between folders that may close a cycle. A fallback in `native-free` implements an interface of the folder
 * that chooses between it and the native part.
 */
const CYCLE_EXCEPTIONS: readonly (readonly [from: string, to: string])[] = [
  ['native-free/crypto', 'src/crypto'],
  ['native-free/store', 'src/storage'],
  ['native-free/http', 'src/rpc/http'],
];

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

const root = packageRoot();

function sourceFiles(): string[] {
  return ['src', 'workers', 'native-free'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );
}

/** The source of a compiled file. */
function sourceOf(file: string): string {
  const base = file.replace(/\.js$/, '');
  return existsSync(join(root, `${base}.tsx`)) ? `${base}.tsx` : `${base}.ts`;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found: Import[] = [];
  const pattern = /^(?:import|export)\s+(type\s)?[^;]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/gm;
  for (const [, typeOnly, fixed, dynamic] of text.matchAll(pattern)) {
    const target = fixed ?? dynamic;
    if (target === undefined) continue;
    const to = sourceOf(normalize(join(dirname(file), target)));
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

test('files form no import cycle, types included', () => {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
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

/** The part that a file belongs to: its folder, or the file itself if it is directly in `src`. */
function partOf(file: string): string {
  const folder = dirname(file);
  return folder === 'src' ? file : folder;
}

/** True if one folder is inside the other: a part and the whole may import each other. */
function areNested(one: string, other: string): boolean {
  return one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

/** Imports between folders, including types but not imports between nested folders. */
function folderImports(): Map<string, Map<string, string>> {
  const graph = new Map<string, Map<string, string>>();
  for (const { from, to } of imports) {
    const [one, other] = [partOf(from), partOf(to)];
    if (one === other || areNested(one, other)) continue;
    const targets = graph.get(one) ?? new Map<string, string>();
    graph.set(one, targets.set(other, `${from} → ${to}`));
  }
  return graph;
}

/** The folders reachable from one. */
function reachable(graph: ReadonlyMap<string, ReadonlyMap<string, string>>, start: string): Set<string> {
  const found = new Set<string>();
  const open = [start];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const target of graph.get(folder)?.keys() ?? []) {
      if (found.has(target)) continue;
      found.add(target);
      open.push(target);
    }
  }
  return found;
}

test('folders form no cycle, types included', () => {
  const graph = folderImports();
  for (const [from, to] of CYCLE_EXCEPTIONS) {
    assert.ok(graph.get(from)?.delete(to), `${from} → ${to} is no exception any more: take it out`);
  }
  const circular: string[] = [];
  for (const [from, targets] of graph) {
    for (const [to, example] of targets) {
      if (reachable(graph, to).has(from)) circular.push(`${from} → ${to} (${example})`);
    }
  }
  assert.deepEqual(circular, []);
});

test('only the storage layer imports the RocksDB binding, and only crypto and http their native packages', () => {
  const owners: Readonly<Record<string, RegExp>> = {
    '@nxtedition/rocksdb': /^src\/storage\/native\//,
    'sodium-native': /^src\/crypto\/native\//,
    secp256k1: /^src\/crypto\/native\//,
    '@chainsafe/hashtree': /^src\/crypto\/native\//,
    'uWebSockets.js': /^src\/rpc\/http\/native\//,
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
