import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../support/package-root.js';

const SOURCES = join(packageRoot(import.meta.url), 'src');

/** Names of the table of a module's codecs, in the modules that use it. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  'ledger-codecs.ts': ['ledger'],
  'node-rpc-v1-codecs.ts': ['rpcTypes'],
  'mesh-codecs.ts': ['meshCodecs'],
  'dev-v1-codecs.ts': ['devV1Codecs'],
};

/** Prefix of the function that a codec's member calls. */
const MEMBERS: Readonly<Record<string, string>> = {
  encode: 'writeBorsh',
  encodeTransient: 'writeBorsh',
  decode: 'readBorsh',
  decodeFirst: 'readBorsh',
  toJson: 'writeJson',
  fromJson: 'readJson',
};

const FUNCTION = /\b(?:read|write)(?:Borsh|Json)\w+/g;
const namesIn = (text: string): readonly string[] => text.match(FUNCTION) ?? [];

/** The functions that code calls through a table of codecs. */
function calledThrough(table: string, code: string, all: readonly string[]): readonly string[] {
  const uses = code.matchAll(
    new RegExp(`\\b${table}\\s*(?:\\[\\w+\\]|\\.([A-Z]\\w*))(?:\\s*\\.(\\w+))?`, 'g'),
  );
  return [...uses].flatMap(([, type, member = '']) => {
    const prefix = MEMBERS[member];
    if (type === undefined) return all.filter((name) => prefix !== undefined && name.startsWith(prefix));
    // A codec that is handed on is one of Borsh.
    return (prefix === undefined ? ['writeBorsh', 'readBorsh'] : [prefix]).map((each) => each + type);
  });
}

/**
 * Names of a generated module's functions that nothing calls.
 * @param code texts of the other modules
 */
function uncalled(file: string, text: string, code: readonly string[]): readonly string[] {
  const functions = new Map<string, string>();
  const called = new Set<string>();
  for (const part of text.split(/^(?=(?:export )?function |\/\*\* )/m)) {
    const name = /^(?:export )?function (\w+)/.exec(part)?.[1];
    if (name !== undefined) functions.set(name, part.slice(part.indexOf('(')));
    else if (/^export const \w+(?:Calls|MethodCodecs)\b/m.test(part))
      for (const each of namesIn(part)) called.add(each);
  }
  const all = [...functions.keys()];
  assert.ok(all.length > 10, `${file} has ${all.length} functions`);
  for (const other of code) {
    if (other.includes(`/${file.replace('.ts', '.js')}'`))
      for (const name of namesIn(other)) called.add(name);
    for (const table of TABLES[file] ?? [])
      for (const name of calledThrough(table, other, all)) called.add(name);
  }
  // A loop over a set also visits what is added meanwhile.
  for (const name of called) for (const next of namesIn(functions.get(name) ?? '')) called.add(next);
  return all.filter((name) => !called.has(name));
}

const modules = new Map(
  readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => [name, readFileSync(join(SOURCES, name), 'utf8')]),
);

for (const [path, text] of modules) {
  const file = path.slice('generated/'.length);
  if (!path.startsWith('generated/') || !file.endsWith('-codecs.ts')) continue;
  test(`src/${path} has no function without a caller`, () => {
    const others = [...modules].flatMap(([name, code]) => (name === path ? [] : [code]));
    const unused = uncalled(file, text, others);
    assert.deepEqual(
      unused,
      [],
      `nothing calls ${unused.join(', ')}: take the types out of src/idl/compiler/project-selections.ts, then npm run generate`,
    );
  });
}

test('the check finds a function that nothing calls', () => {
  const file = 'ledger-codecs.ts';
  const text = modules.get(`generated/${file}`) ?? assert.fail();
  const added = `${text}\nfunction readBorshStray(r: $BorshReader, path: string): void {\n  readBorshStray(r, path);\n}\n`;
  const others = [...modules].flatMap(([name, code]) => (name.endsWith(file) ? [] : [code]));
  assert.deepEqual(uncalled(file, added, others), ['readBorshStray']);
});
