import assert from 'node:assert/strict';
import { exec } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { nodeRpcV1Manifest } from '../../src/generated/node-rpc-v1.js';
import { compileIdl } from '../../src/idl/compiler/compile.js';
import { generateProjectFiles } from '../../src/idl/compiler/project-files.js';
import { generateUserFiles } from '../../src/idl/compiler/user-files.js';
import { generateDocs } from '../../src/idl/generators/docs.js';
import { heddle } from '../support/nodes/command-line.js';
import { packageRoot } from '../support/package-root.js';
import { SAMPLE_IDL, sampleManifest } from '../support/sample-idl.js';

const root = packageRoot(import.meta.url);

async function ownIdl(): Promise<readonly [ledger: string, nodeRpc: string, mesh: string, dev: string]> {
  return [
    await readFile(join(root, 'idl', 'ledger.idl'), 'utf8'),
    await readFile(join(root, 'idl', 'node_rpc_v1.idl'), 'utf8'),
    await readFile(join(root, 'idl', 'mesh.idl'), 'utf8'),
    await readFile(join(root, 'idl', 'dev_v1.idl'), 'utf8'),
  ];
}

describe("the project's generated files", () => {
  test('match the IDL', async () => {
    const [ledger, nodeRpc, mesh, dev] = await ownIdl();
    for (const { name, text } of generateProjectFiles(ledger, nodeRpc, mesh, dev)) {
      const present = await readFile(join(root, 'src', 'generated', name), 'utf8');
      assert.ok(present === text, `src/generated/${name} is out of date; run: npm run generate`);
    }
    assert.equal((await heddle(['idl', 'generate', '--check'])).code, 0);
  });

  test('hold a manifest that survives JSON', () => {
    assert.deepEqual(JSON.parse(JSON.stringify(nodeRpcV1Manifest)), nodeRpcV1Manifest);
  });
});

describe('a manifest', () => {
  const manifest = sampleManifest();

  test('describes a method completely', () => {
    assert.deepEqual(manifest.interfaces[0]?.methods[1], {
      name: 'one',
      since: '1.1',
      deprecated: 'use other',
      params: [{ name: 'args', type: 'Texts' }],
      returns: 'Numbers',
      tier: 'paid',
      cost: 7,
    });
  });

  test('marks T? and name?: T alike as optional', () => {
    const options = manifest.structs.find(({ name }) => name === 'Options');
    assert.deepEqual(options?.fields.slice(0, 2), [
      { name: 'u32', type: 'u32', optional: true },
      { name: 'option', type: 'string', optional: true },
    ]);
  });

  test('keeps doc comments, limits, variants with their JSON names, and indexed fields', () => {
    assert.deepEqual(manifest.structs.find(({ name }) => name === 'Texts')?.fields[0], {
      name: 'short',
      doc: 'At most five bytes.',
      type: 'string',
      max: 5,
    });
    assert.deepEqual(manifest.enums.find(({ name }) => name === 'Shape')?.variants[2], {
      name: 'Polygon',
      tag: 'polygon',
      doc: 'Corners.',
      payload: { list: 'Pair' },
    });
    assert.deepEqual(manifest.aliases[1], { name: 'Name', type: 'string', max: 4 });
    assert.deepEqual(manifest.contracts[0]?.events[0]?.fields[0], {
      name: 'buyer',
      type: 'address',
      indexed: true,
    });
  });

  test('writes variants in snake case', () => {
    const { manifest: unit } = compileIdl([
      { name: 'x.idl', text: 'enum E { CatchingUp, Secp256k1, HTTPError, ReadAfterWrite, V2, A }' },
    ]);
    assert.deepEqual(
      unit.enums[0]?.variants.map(({ tag }) => tag),
      ['catching_up', 'secp256k1', 'http_error', 'read_after_write', 'v2', 'a'],
    );
  });
});

describe('TypeScript for a user’s IDL', () => {
  const files = generateUserFiles([{ name: 'shop.idl', text: SAMPLE_IDL }], 'my-shop');
  const [types, codecs, client] = files;

  test('declares every kind of type', () => {
    const text = types?.text ?? '';
    assert.equal(types?.name, 'my-shop.ts');
    for (const line of [
      'export type Empty = { readonly [name: string]: never };',
      '  readonly pairs: readonly (readonly number[])[];',
      '  readonly maybe: readonly (boolean | null)[];',
      '  readonly u8?: number;',
      '  readonly pair: readonly bigint[];',
      "  | { readonly type: 'point'; readonly value?: null }",
      "  | { readonly type: 'polygon'; readonly value: readonly (readonly bigint[])[] }",
      "  | { readonly type: 'maybe_not'; readonly value: number | null };",
      '  /** @deprecated use other */',
      '  readonly two: { readonly params: { readonly first: number; readonly second?: Shape }; readonly result: bigint | null };',
      '  readonly nothing: { readonly params: { readonly [name: string]: never }; readonly result: null };',
      '  readonly any: $JsonValue;',
    ]) {
      assert.ok(text.includes(`${line}\n`), line);
    }
  });

  test('has codecs for every type and method', () => {
    const text = codecs?.text ?? '';
    assert.equal(codecs?.name, 'my-shop-codecs.ts');
    for (const line of [
      "} from 'heddle/idl/codecs/codec';",
      'export function readBorshShape(r: $BorshReader, path: string): Shape {',
      'export function writeBorshShape(v: Shape, path: string): void {',
      'export function readJsonShape(r: $JsonReader, v: unknown, path: string): Shape {',
      'export function writeJsonShape(w: $JsonWriter, v: Shape, path: string): string {',
      'export const myShopCodecs: $CodecTable<MyShopTypes> = /* @__PURE__ */ $bindCodecs<MyShopTypes>(myShopFunctions);',
      "export const sampleMethodCodecs: ReadonlyMap<string, $MethodCodec> = /* @__PURE__ */ $bindMethods('Sample', [",
    ]) {
      assert.ok(text.includes(`${line}\n`), line);
    }
  });

  test('has a client with every method of the interface', () => {
    assert.equal(client?.name, 'sample-client.ts');
    assert.match(client?.text ?? '', /one\(params: SampleMethods\['one'\]\['params'\]\): Promise</);
    assert.match(client?.text ?? '', /nothing\(\): Promise</);
    assert.match(client?.text ?? '', /options\(params: SampleMethods\['options'\]\['params'\] = \{\}\)/);
  });

  test('is deterministic', () => {
    assert.deepEqual(generateUserFiles([{ name: 'shop.idl', text: SAMPLE_IDL }], 'my-shop'), files);
  });
});

describe('the documentation page', () => {
  test('has every method and type, and no dead link', () => {
    for (const manifest of [nodeRpcV1Manifest, sampleManifest()]) {
      const page = generateDocs(manifest, 'Title');
      const anchors = new Set([...page.matchAll(/<a id="([^"]+)">/g)].map((match) => match[1]));
      const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map((match) => match[1]);
      assert.ok(links.length > 20);
      for (const link of links) assert.ok(anchors.has(link), link);
      for (const { name } of [...manifest.structs, ...manifest.enums])
        assert.ok(anchors.has(`type-${name}`), name);
    }
  });

  test('gives tier, cost, parameters and result of a method', () => {
    const page = generateDocs(nodeRpcV1Manifest, 'Title');
    const section = page.slice(page.indexOf('### tx\\_build\n'));
    assert.match(section, /Fills in an unsigned transaction/);
    assert.match(section, /Tier \*\*admin\*\*, costs 10 compute units, since 1\.0\./);
    assert.match(section, /\| `args` \| \[TxBuildArgs\]\(#type-TxBuildArgs\) \|/);
    assert.match(section, /Result: \[TxBuildResult\]\(#type-TxBuildResult\)/);
  });

  test('escapes doc text that would break a table or become HTML', () => {
    const { manifest } = compileIdl([
      { name: 'x.idl', text: 'struct A {\n  /// a | b <script> `x|<y>` *c*\n  a: u8;\n}' },
    ]);
    assert.ok(
      generateDocs(manifest, 'T').includes('| `a` | u8 | a \\| b &#60;script&#62; `x\\|<y>` \\*c\\* |'),
    );
  });
});

describe('heddle idl', () => {
  let directory = '';
  const file = (name: string): string => join(directory, name);

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'heddle-idl-'));
    await writeFile(file('shop.idl'), SAMPLE_IDL);
    await writeFile(file('bad.idl'), 'struct A { x: u65; }\nstruct A { }\n');
  });
  after(() => rm(directory, { recursive: true }));

  test('check lists the declarations, or reports errors with exit code 1', async () => {
    const good = await heddle(['idl', 'check', file('shop.idl')]);
    assert.equal(good.code, 0);
    assert.equal(good.out, 'no errors: 1 interface, 1 contract, 10 structs, 2 enums\n');
    const bad = await heddle(['idl', 'check', file('bad.idl')]);
    assert.equal(bad.code, 1);
    assert.match(
      bad.err,
      /bad\.idl:1:15: error: unknown type u65[\s\S]*bad\.idl:2:8: error: A is declared twice[\s\S]*\n2 errors\n$/,
    );
  });

  test('check and generate print JSON for programs', async () => {
    const json = async (...args: readonly string[]) => {
      const { code, out, err } = await heddle(['idl', ...args, '--json']);
      assert.equal(err, '');
      return { code, ...JSON.parse(out) };
    };
    const good = await json('check', file('shop.idl'));
    assert.deepEqual(good, { code: 0, errors: [], interfaces: 1, contracts: 1, structs: 10, enums: 2 });
    const bad = await json('check', file('bad.idl'));
    assert.equal(bad.code, 1);
    assert.deepEqual(bad.errors[1], {
      file: file('bad.idl'),
      line: 2,
      column: 8,
      message: bad.errors[1].message,
    });
    const generate = (check: boolean) =>
      json('generate', file('shop.idl'), '--out', file('as-json'), ...(check ? ['--check'] : []));
    const missing = await generate(true);
    assert.equal(missing.code, 1);
    assert.equal(missing.stale.length, 3);
    const made = await generate(false);
    assert.deepEqual(made.written, missing.stale);
    assert.deepEqual(await generate(true), { code: 0, current: made.written, stale: [] });
  });

  test('check reports a missing file', async () => {
    const { code, err } = await heddle(['idl', 'check', file('none.idl')]);
    assert.equal(code, 1);
    assert.match(err, /^heddle: .*no such file or directory.*none\.idl/);
  });

  test('generate writes modules for user files, and --check notices stale ones', async () => {
    const out = file('generated');
    const generate = ['idl', 'generate', file('shop.idl'), '--out', out];
    assert.equal((await heddle(generate)).code, 0);
    assert.deepEqual((await readdir(out)).sort(), ['sample-client.ts', 'shop-codecs.ts', 'shop.ts']);
    assert.equal((await heddle([...generate, '--check'])).code, 0);
    await writeFile(join(out, 'shop.ts'), '// changed');
    await rm(join(out, 'sample-client.ts'));
    const { code, err } = await heddle([...generate, '--check']);
    assert.equal(code, 1);
    assert.match(err, /shop\.ts is out of date[\s\S]*sample-client\.ts is missing/);
  });

  test('generate reports missing arguments', async () => {
    const { code, err } = await heddle(['idl', 'generate', file('shop.idl')]);
    assert.equal(code, 2);
    assert.match(err, /^heddle: expected --out DIR/);
    assert.equal((await heddle(['idl', 'generate', '--out', directory])).code, 2);
  });

  test('generate --contract writes the typed client of a file’s only contract', async () => {
    const out = file('contract');
    const generate = ['idl', 'generate', '--contract', '--out', out];
    assert.equal((await heddle([...generate, file('shop.idl')])).code, 0);
    assert.deepEqual(await readdir(out), ['shop-contract.ts']);
    const text = await readFile(join(out, 'shop-contract.ts'), 'utf8');
    for (const line of [
      '    readonly close: { readonly args: { readonly [name: string]: never }; readonly result: null };',
      '    readonly price: { readonly args: { readonly item: bigint }; readonly result: bigint };',
      '    readonly Sold: { readonly buyer: Uint8Array; readonly item: bigint; readonly label: { readonly topic: Uint8Array }; readonly price: bigint; readonly paid?: boolean };',
    ]) {
      assert.ok(text.includes(`${line}\n`), line);
    }
    assert.equal((await heddle([...generate, file('shop.idl'), '--check'])).code, 0);
    await writeFile(file('none.idl'), 'struct A { }');
    await writeFile(file('two.idl'), 'contract A { } contract B { }');
    for (const [names, code, message] of [
      [['none.idl'], 1, /^heddle: \S*none\.idl: expected a contract, but none is declared/],
      [['two.idl'], 1, /^heddle: \S*two\.idl: expected one contract, got 2: A, B/],
      [['bad.idl'], 1, /bad\.idl:1:15: error: unknown type u65/],
      [[], 2, /^heddle: expected the interface definition of the contract/],
    ] as const) {
      const answer = await heddle([...generate, ...names.map(file)]);
      assert.equal(answer.code, code);
      assert.match(answer.err, message);
    }
  });

  test('docs writes a page to a file or to the terminal', async () => {
    const out = file('docs/api.md');
    assert.equal((await heddle(['idl', 'docs', '--out', out])).code, 0);
    assert.match(await readFile(out, 'utf8'), /^# The Heddle node API\n/);
    const printed = await heddle(['idl', 'docs', file('shop.idl')]);
    assert.equal(printed.code, 0);
    assert.match(printed.out, /^# shop\.idl\n[\s\S]*A shop of tokens\./);
  });

  test('openrpc writes a document to a file or to the terminal, and refuses text that is not a URL', async () => {
    const out = file('docs/openrpc.json');
    const url = 'https://node.example.com/v2/rpc';
    assert.equal((await heddle(['idl', 'openrpc', '--url', url, '--out', out])).code, 0);
    const { code, out: printed } = await heddle(['idl', 'openrpc', '--url', url]);
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(await readFile(out, 'utf8')), JSON.parse(printed));
    assert.equal((JSON.parse(printed) as { servers: { url: string }[] }).servers[0]?.url, url);
    const refused = await heddle(['idl', 'openrpc', '--url', 'node.example.com']);
    assert.equal(refused.code, 2);
    assert.match(refused.err, /--url: expected a URL such as .* got "node\.example\.com"/);
  });

  test('openrpc prints the whole document to a pipe with a slow reader', async () => {
    const { stdout } = await promisify(exec)(
      `'${process.execPath}' '${join(root, 'dist/bundle/main.js')}' idl openrpc | (sleep 1; cat)`,
      {
        maxBuffer: 4 * 1024 * 1024,
      },
    );
    assert.equal((JSON.parse(stdout) as { methods: unknown[] }).methods.length, 50);
  });
});
