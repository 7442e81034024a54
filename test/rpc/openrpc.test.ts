import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { packageVersion } from '../../src/config/package-info.js';
import { nodeRpcV1Manifest } from '../../src/generated/node-rpc-v1.js';
import { compileIdl } from '../../src/idl/compiler/compile.js';
import type { Manifest } from '../../src/idl/manifest.js';
import { TypeTable } from '../../src/idl/type-table.js';
import { rpcMethods } from '../../src/ledger/rpc-codecs.js';
import { RPC_ERRORS } from '../../src/rpc/errors.js';
import { openRpcDocument } from '../../src/rpc/openrpc.js';
import { arbitraryOf, arbitraryOfFields } from '../support/arbitraries.js';
import { FakeRpc, TEST_IDL } from '../support/http/fake-rpc.js';
import {
  DocumentSchemas,
  dereferenced,
  type OpenRpcDocument,
  problemsOf,
} from '../support/http/openrpc-document.js';
import { compileInterface } from '../support/runtime-codecs.js';
import { SAMPLE_IDL } from '../support/sample-idl.js';

const URL = 'http://localhost:9545/v2/rpc';

function documentOf(manifest: Manifest): OpenRpcDocument {
  const document = openRpcDocument({ manifest, version: '1.2.3', url: URL });
  return JSON.parse(JSON.stringify(document)) as OpenRpcDocument;
}

/** An interface whose methods take and return every type of the sample. */
function sampleManifest(): Manifest {
  const { manifest } = compileIdl([{ name: 'sample.idl', text: SAMPLE_IDL }]);
  const names = [...manifest.structs, ...manifest.enums, ...manifest.aliases].map(({ name }) => name);
  const methods = names.map((name) => `method of_${name}(it: ${name}, more?: ${name}) -> ${name};`);
  const text = `${SAMPLE_IDL}\ninterface Everything {\n${methods.join('\n')}\nmethod without_result();\n}`;
  return compileIdl([{ name: 'sample.idl', text }]).manifest;
}

const document = documentOf(nodeRpcV1Manifest);
const schemas = new DocumentSchemas(document);
const declared = nodeRpcV1Manifest.interfaces.flatMap(({ methods }) => methods);
const types = new TypeTable(nodeRpcV1Manifest);

describe('the OpenRPC document', () => {
  test('satisfies the meta-schema of OpenRPC', () => {
    assert.equal(document.openrpc, '1.3.2');
    assert.deepEqual(problemsOf(document), []);
    assert.notDeepEqual(
      problemsOf({ ...document, methods: [{ name: 'x' }] }),
      [],
      'the check finds problems',
    );
  });

  test('is loaded and dereferenced by the library of the OpenRPC tools', async () => {
    const loaded = await dereferenced(document);
    assert.ok(!JSON.stringify(loaded).includes('"$ref"'), 'no reference is left');
    assert.equal(loaded.methods.length, 50);
  });

  test('names the version and the RPC path', () => {
    assert.equal(document.info.version, '1.2.3');
    assert.deepEqual(
      document.servers.map((server) => [server.url, server['x-path']]),
      [[URL, '/v2/rpc']],
    );
  });

  test('has every method with its declaration', () => {
    assert.equal(document.methods.length, 50);
    assert.deepEqual(
      document.methods.map(({ name }) => name),
      declared.map(({ name }) => name),
    );
    for (const definition of declared) {
      const method = schemas.method(definition.name);
      assert.equal(method.paramStructure, 'by-name');
      assert.equal(method.description, definition.doc);
      assert.ok((method.summary ?? '').length > 5);
      assert.equal(method['x-tier'], definition.tier);
      assert.equal(method['x-cost'], definition.cost);
      assert.equal(method['x-since'], definition.since);
      assert.equal(method['x-once'], definition.once);
      assert.equal(method['x-immutable'], definition.immutable);
      const fields = types.soleStruct(definition.params)?.fields ?? definition.params;
      const need = new Map(fields.map(({ name, optional }) => [name, optional !== true]));
      assert.deepEqual(new Map(method.params.map(({ name, required }) => [name, required])), need);
      const needs = method.params.map(({ required }) => required);
      assert.deepEqual(
        needs,
        needs.toSorted((a, b) => Number(b) - Number(a)),
        'optional parameters come last',
      );
    }
  });

  test('has every error of the error table', () => {
    const { errors } = document.components;
    assert.deepEqual(Object.keys(errors), Object.keys(RPC_ERRORS));
    for (const [kind, { code, httpStatus, retryable }] of Object.entries(RPC_ERRORS)) {
      const { message, ...error } = errors[kind] ?? assert.fail(kind);
      assert.deepEqual(error, { code, data: { kind, retryable, http_status: httpStatus } });
      assert.match(message, /^[A-Z].*\.$/);
    }
  });

  test('has references that resolve, without cycles, and no unused schema but those of whole params', () => {
    const used = new Set<string>();
    const follow = (value: unknown, trail: readonly string[]): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, inner] of Object.entries(value)) {
        if (key !== '$ref') {
          follow(inner, trail);
          continue;
        }
        const [, section, name] = /^#\/components\/(schemas|errors)\/(\w+)$/.exec(inner as string) ?? [];
        assert.ok(section !== undefined && name !== undefined, `${inner}`);
        const target = document.components[section as 'schemas'][name];
        assert.ok(target !== undefined, `${inner} does not resolve`);
        assert.ok(!trail.includes(name), `${[...trail, name].join(' → ')} is a cycle`);
        used.add(name);
        follow(target, [...trail, name]);
      }
    };
    follow(document.methods, []);
    const whole = declared.flatMap(({ params }) => types.soleStruct(params)?.name ?? []);
    for (const name of whole) follow(document.components.schemas[name], [name]);
    for (const name of Object.keys(document.components.schemas))
      assert.ok(used.has(name) || whole.includes(name), `${name} is unused`);
  });

  test('describes every type', () => {
    for (const { name, doc } of [...nodeRpcV1Manifest.structs, ...nodeRpcV1Manifest.enums]) {
      const schema = document.components.schemas[name] as { readonly description?: string } | undefined;
      if (schema !== undefined) assert.equal(schema.description, doc, name);
    }
  });
});

describe('the schemas of the OpenRPC document', () => {
  test('accept the params that the codec writes and accepts', () => {
    for (const definition of declared) {
      const codec = rpcMethods.get(definition.name) ?? assert.fail(definition.name);
      const sole = types.soleStruct(definition.params);
      const params =
        sole === undefined
          ? arbitraryOfFields(nodeRpcV1Manifest, definition.params)
          : arbitraryOf(nodeRpcV1Manifest, sole.name);
      fc.assert(
        fc.property(params, (value) => {
          const json = JSON.parse(codec.encodeParams(value)) as unknown;
          codec.decodeParams(json);
          const problem = schemas.problemsOfParams(definition.name, json);
          assert.equal(problem, undefined, `${definition.name} ${JSON.stringify(json)}`);
          if (sole !== undefined) {
            const ref = { $ref: `#/components/schemas/${sole.name}` };
            assert.equal(schemas.problems(ref, json), undefined, sole.name);
          }
        }),
        { numRuns: 25 },
      );
    }
  });

  test('accept the results that the codec writes', () => {
    for (const { name, returns } of declared) {
      const codec = rpcMethods.get(name) ?? assert.fail(name);
      fc.assert(
        fc.property(arbitraryOf(nodeRpcV1Manifest, returns ?? assert.fail()), (value) => {
          const json = JSON.parse(codec.encodeResult(value)) as unknown;
          assert.equal(schemas.problemsOfResult(name, json), undefined, `${name} ${JSON.stringify(json)}`);
        }),
        { numRuns: 25 },
      );
    }
  });

  test('accept exactly the params that the codec accepts, in each of their forms', () => {
    const hash = 'ab'.repeat(32);
    const cases: readonly (readonly [method: string, params: unknown])[] = [
      ['account', { address: `0x${'Ab'.repeat(20)}` }],
      ['account', { address: 'ab'.repeat(20) }],
      ['account', { address: `0x${'ab'.repeat(19)}` }],
      ['account', {}],
      ['account', { address: null }],
      ['account', { address: `0x${'ab'.repeat(20)}`, more: 1 }],
      ['predict_address', { deployer: `0x${'ab'.repeat(20)}`, offset: '7' }],
      ['predict_address', { deployer: `0x${'ab'.repeat(20)}`, offset: null }],
      ['predict_address', { deployer: `0x${'ab'.repeat(20)}`, offset: '07' }],
      ['predict_address', { deployer: `0x${'ab'.repeat(20)}`, offset: -1 }],
      ['predict_address', { deployer: `0x${'ab'.repeat(20)}`, offset: 1.5 }],
      ['predict_address', { deployer: `0x${'ab'.repeat(20)}`, offset: 2 ** 53 }],
      ['tx_by_hash', { tx_hash: hash }],
      ['tx_by_hash', { tx_hash: `0x${hash.toUpperCase()}` }],
      ['tx_by_hash', { tx_hash: hash.slice(2) }],
      ['list_blocks', { limit: '10', cursor: null }],
      ['list_blocks', { limit: 2 ** 32 }],
      ['list_blocks', { limit: '-0' }],
      ['get_logs', { topics: [[], [hash]] }],
      ['get_logs', { topics: [hash] }],
      ['tx_submit', { encoded: '0xABcd', wait: { type: 'none' } }],
      ['tx_submit', { encoded: '0xabc' }],
      ['tx_submit', { encoded: '0x', wait: { type: 'included', value: null } }],
      ['tx_submit', { encoded: '0x', wait: { type: 'included', value: 1 } }],
      ['tx_submit', { encoded: '0x', wait: { type: 'other' } }],
      ['tx_submit', { encoded: '0x', wait: 'included' }],
      ['state_proof', { contract: `0x${'ab'.repeat(20)}`, at: { type: 'height', value: 3 } }],
      ['state_proof', { contract: `0x${'ab'.repeat(20)}`, at: { type: 'height' } }],
      ['state_proof', { contract: `0x${'ab'.repeat(20)}`, at: { type: 'latest', value: null } }],
      ['state_proof', { contract: `0x${'ab'.repeat(20)}`, at: { type: 'latest', height: 1 } }],
      ['tx_build', { sender: `0x${'ab'.repeat(20)}`, action: { type: 'batch', value: [] }, max_fee: 5 }],
      ['tx_build', { sender: `0x${'ab'.repeat(20)}`, action: { type: 'batch', value: [] }, max_fee: '-5' }],
      ['tx_build', { sender: `0x${'ab'.repeat(20)}`, action: { type: 'batch' } }],
    ];
    let accepted = 0;
    for (const [method, params] of cases) {
      const codec = rpcMethods.get(method) ?? assert.fail(method);
      let isAccepted = true;
      try {
        codec.decodeParams(params);
        accepted++;
      } catch {
        isAccepted = false;
      }
      const problem = schemas.problemsOfParams(method, params);
      assert.equal(problem === undefined, isAccepted, `${method} ${JSON.stringify(params)}: ${problem}`);
    }
    assert.ok(accepted > 8 && accepted < cases.length - 8);
  });

  test('are narrower for results than for params', () => {
    const problem = (type: string, value: unknown) =>
      schemas.problems({ $ref: `#/components/schemas/${type}` }, value);
    for (const [type, good, bad] of [
      ['u64', '9007199254740992', '7'],
      ['u64', 7, -1],
      ['u128', '7', 7],
      ['u32', 7, '7'],
      ['hash', 'ab'.repeat(32), 'AB'.repeat(32)],
      ['address', `0x${'ab'.repeat(20)}`, `0x${'AB'.repeat(20)}`],
      ['bytes', '0xab', '0xAB'],
      ['VmType', { type: 'wasm', value: null }, { type: 'wasm' }],
    ] as const) {
      assert.equal(problem(type, good), undefined, type);
      assert.notEqual(problem(type, bad), undefined, type);
      assert.equal(problem(`${type}Input`, good), undefined, `${type}Input`);
    }
  });

  test('cover every construct of the language', () => {
    const manifest = sampleManifest();
    const sample = documentOf(manifest);
    assert.deepEqual(problemsOf(sample), []);
    const checks = new DocumentSchemas(sample);
    const codecs = compileInterface(manifest, 'Everything');
    const everything = manifest.interfaces.find(({ name }) => name === 'Everything');
    for (const { name, params, returns } of everything?.methods ?? []) {
      const codec = codecs.get(name) ?? assert.fail(name);
      if (returns === undefined) {
        assert.equal(checks.problemsOfResult(name, null), undefined);
        continue;
      }
      fc.assert(
        fc.property(arbitraryOfFields(manifest, params), arbitraryOf(manifest, returns), (given, result) => {
          const json = JSON.parse(codec.encodeParams(given)) as unknown;
          assert.equal(checks.problemsOfParams(name, json), undefined, JSON.stringify(json));
          const answer = JSON.parse(codec.encodeResult(result)) as unknown;
          assert.equal(checks.problemsOfResult(name, answer), undefined, JSON.stringify(answer));
        }),
        { numRuns: 40 },
      );
    }
  });
});

describe('rpc.discover', () => {
  test('answers the document, which GET /v2/rpc/openrpc serves too', async () => {
    const rpc = await FakeRpc.create({ twoInterfaces: true });
    try {
      const served = await rpc.request({ method: 'GET', path: '/v2/rpc/openrpc' });
      assert.equal(served.status, 200);
      assert.equal(served.headers['content-type'], 'application/json');
      const known = { 'if-none-match': served.headers['etag'] ?? '' };
      const again = await rpc.request({ method: 'GET', path: '/v2/rpc/openrpc', headers: known });
      assert.deepEqual([again.status, again.text], [304, '']);
      for (const params of [{}, [], undefined]) {
        const { json } = await rpc.call('rpc.discover', params);
        assert.deepEqual((json as { result: unknown }).result, served.json);
      }
      const { manifest } = compileIdl([{ name: 'test.idl', text: TEST_IDL }]);
      const expected = openRpcDocument({
        manifest,
        version: packageVersion(),
        url: 'http://localhost:1/v2/rpc',
      });
      assert.deepEqual(served.json, JSON.parse(JSON.stringify(expected)));
      assert.deepEqual(problemsOf(served.json), []);
    } finally {
      await rpc.dispose();
    }
  });

  test('names a method that two interfaces share by its qualified name', () => {
    const { manifest } = compileIdl([{ name: 'test.idl', text: TEST_IDL }]);
    const names = documentOf(manifest).methods.map(({ name }) => name);
    assert.ok(names.includes('TestV1.echo') && names.includes('OtherV1.echo') && names.includes('lonely'));
  });

  test('takes no parameters, obeys the limit of an answer, and counts as a call', async () => {
    const rpc = await FakeRpc.create({ limits: { maxAnswerBytes: 1_000 } });
    try {
      const failure = async (params: unknown) =>
        ((await rpc.call('rpc.discover', params)).json as { error: { data: { kind: string } } }).error.data
          .kind;
      assert.equal(await failure({ verbose: true }), 'invalid_params');
      assert.equal(await failure(['verbose']), 'invalid_params');
      assert.equal(await failure({}), 'limit_exceeded');
      const { errors } = rpc.metrics.rpc.counts().methods.get('rpc.discover') ?? assert.fail();
      assert.deepEqual(Object.fromEntries(errors), { invalid_params: 2, limit_exceeded: 1 });
    } finally {
      await rpc.dispose();
    }
  });
});
