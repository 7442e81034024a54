import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nodeRpcV1Manifest } from '../../../src/generated/node-rpc-v1.js';
import { JsonDecodeError, JsonEncodeError } from '../../../src/idl/codecs/codec-errors.js';
import { compileIdl } from '../../../src/idl/compiler/compile.js';
import { generateUserFiles } from '../../../src/idl/compiler/user-files.js';
import { generateDocs } from '../../../src/idl/generators/docs.js';
import type { Manifest } from '../../../src/idl/manifest.js';
import { compileInterface, compileTypes } from '../../support/runtime-codecs.js';
import { sampleManifest } from '../../support/sample-idl.js';

const methods = compileInterface(sampleManifest(), 'Sample');

function method(name: string) {
  const found = methods.get(name);
  assert.ok(found, name);
  return found;
}

const texts = {
  short: 'a',
  long: 'b',
  blob: '0x',
  four: '0x00000000',
  digest: '00'.repeat(32),
  key: '00'.repeat(32),
  who: `0x${'00'.repeat(20)}`,
};

describe('the methods of an interface', () => {
  test('carry name, tier and cost', () => {
    assert.deepEqual(
      [...methods.keys()],
      ['nothing', 'one', 'wrapped', 'two', 'options', 'short_name', 'long_name'],
    );
    const { name, qualifiedName, tier, cost } = method('one');
    assert.deepEqual(
      { name, qualifiedName, tier, cost },
      { name: 'one', qualifiedName: 'Sample.one', tier: 'paid', cost: 7 },
    );
    assert.deepEqual([method('two').tier, method('two').cost], ['public', 1]);
  });

  test('an interface missing from the manifest is the caller’s error', () => {
    assert.throws(() => compileInterface(sampleManifest(), 'Samples'), /no interface Samples/);
  });
});

test('a method that is not idempotent is marked as such', () => {
  const { manifest } = compileIdl([
    { name: 'x.idl', text: 'interface I { @once method pay(); @tier(admin) method look(); }' },
  ]);
  const [pay, look] = manifest.interfaces[0]?.methods ?? [];
  assert.equal(pay?.once, true);
  assert.ok(look !== undefined && !('once' in look));
  assert.match(generateDocs(manifest, 'T'), /costs 1 compute unit\. Calling twice is not the same as/);
  const [, codecs] = generateUserFiles(
    [{ name: 'x.idl', text: 'interface I { @once method pay(); method look(); }' }],
    'x',
  );
  assert.match(
    codecs?.text ?? '',
    / {2}pay: \{ isRepeatable: false, [\s\S]* {2}look: \{ isRepeatable: true, /,
  );
  assert.throws(
    () => compileIdl([{ name: 'x.idl', text: 'interface I { @once(1) method pay(); } @once struct A { }' }]),
    /expected @once[\s\S]*@once belongs on a method of an interface/,
  );
});

describe('params', () => {
  test('a method without parameters accepts no others', () => {
    assert.deepEqual(method('nothing').decodeParams(undefined), {});
    assert.deepEqual(method('nothing').decodeParams({}), {});
    assert.throws(() => method('nothing').decodeParams({ a: 1 }), /params\.a: expected no members/);
    assert.throws(() => method('nothing').decodeParams(null), JsonDecodeError);
    assert.throws(() => method('nothing').decodeParams('x'), JsonDecodeError);
  });

  test('a list is refused with the names to use', () => {
    assert.throws(
      () => method('two').decodeParams([1]),
      /params: expected an object of parameters by name: first, second, got a list of 1 item/,
    );
    assert.throws(() => method('one').decodeParams([]), /by name: short, long, blob/);
    assert.throws(() => method('nothing').decodeParams([]), /an object of parameters without members/);
  });

  test('one struct is params itself, or a member under its name', () => {
    const plain = method('one').decodeParams(texts);
    assert.deepEqual(method('one').decodeParams({ args: texts }), plain);
    assert.equal((plain as { long: string }).long, 'b');
    assert.throws(
      () => method('one').decodeParams({ args: { ...texts, who: '' } }),
      /^JsonDecodeError: params\.args\.who: expected address/,
    );
    assert.throws(
      () => method('one').decodeParams({ ...texts, who: '' }),
      /^JsonDecodeError: params\.who: expected address/,
    );
    assert.throws(
      () => method('one').decodeParams({ args: texts, more: 1 }),
      /params\.args: expected one of the members short/,
    );
  });

  test('a member with the parameter’s name is preferred if it fits', () => {
    // The struct Loose is {any, maybe?} and the parameter is named `any`, so {"any": …} is taken as the struct.
    assert.deepEqual(method('wrapped').decodeParams({ any: { any: 1 } }), { any: { any: 1 } });
    // Here {"args": …} lacks a member of the struct, so it must be the wrapper.
    const { manifest } = compileIdl([
      {
        name: 'x.idl',
        text: 'struct Call { to: u8; args?: json; } interface I { method call(args: Call); }',
      },
    ]);
    const call = compileInterface(manifest, 'I').get('call');
    assert.deepEqual(call?.decodeParams({ args: { to: 1 } }), { to: 1 });
    assert.deepEqual(call?.decodeParams({ to: 1, args: { to: 2 } }), { to: 1, args: { to: 2 } });
  });

  test('several parameters form an object, and options may be missing', () => {
    assert.deepEqual(method('two').decodeParams({ first: 3 }), { first: 3 });
    assert.deepEqual(method('two').decodeParams({ first: 3, second: { type: 'point' } }), {
      first: 3,
      second: { type: 'point' },
    });
    assert.throws(() => method('two').decodeParams({}), /params\.first: expected u8 .* got nothing/);
    assert.throws(
      () => method('two').decodeParams({ first: 1, secnd: 1 }),
      /params\.secnd: expected one of the members first, second, got an unknown member; did you mean second\?/,
    );
    assert.deepEqual(method('options').decodeParams({}), {});
    assert.deepEqual(method('options').decodeParams({ args: { yes: true } }), { args: { yes: true } });
  });

  test('a node decodes the client’s encoding', () => {
    for (const [name, params] of [
      ['nothing', {}],
      ['two', { first: 3, second: { type: 'circle', value: 9 } }],
      ['wrapped', { any: [1, { b: null }] }],
    ] as const) {
      assert.deepEqual(method(name).decodeParams(JSON.parse(method(name).encodeParams(params))), params);
    }
    assert.throws(
      () => method('two').encodeParams({ first: 300 }),
      (e) => e instanceof JsonEncodeError && e.path === 'params.first',
    );
  });

  test('a lenient interface ignores unknown parameters', () => {
    const lenient = compileInterface(sampleManifest(), 'Sample', { unknownMembers: 'ignore' });
    assert.deepEqual(lenient.get('two')?.decodeParams({ first: 3, third: 4 }), { first: 3 });
  });
});

describe('results', () => {
  test('an absent result is null', () => {
    assert.equal(method('nothing').encodeResult(undefined), 'null');
    assert.equal(method('nothing').decodeResult(null), null);
  });

  test('options, lists and json are results too', () => {
    assert.equal(method('two').encodeResult(7n), '7');
    assert.equal(method('two').encodeResult(null), 'null');
    assert.equal(method('two').decodeResult(null), null);
    assert.equal(method('two').decodeResult(7), 7n);
    assert.equal(method('options').encodeResult([{ yes: true }]), '[{"yes":true}]');
    assert.throws(() => method('options').decodeResult([{ yes: 1 }]), /^JsonDecodeError: result\[0\]\.yes: /);
    assert.equal(method('wrapped').encodeResult({ a: [1] }), '{"a":[1]}');
  });
});

test('every method of the node has a codec', () => {
  const codecs = compileInterface(nodeRpcV1Manifest, 'NodeRpcV1');
  const [definition] = nodeRpcV1Manifest.interfaces;
  assert.ok(definition);
  assert.equal(codecs.size, definition.methods.length);
  assert.deepEqual(codecs.get('account')?.decodeParams({ address: `0x${'AB'.repeat(20)}` }), {
    address: new Uint8Array(20).fill(0xab),
  });
  assert.equal(codecs.get('tx_build')?.tier, 'admin');
});

test('a foreign manifest cannot inject code', () => {
  const evil = 'x; throw new Error("taken over"); //';
  const sample = sampleManifest();
  // Manifests come from JSON, so members may be of any type.
  const manifests: readonly Partial<Record<keyof Manifest, unknown>>[] = [
    { ...sample, structs: [{ name: 'A', fields: [{ name: evil, type: 'u8' }] }] },
    { ...sample, structs: [{ name: 'A', fields: [{ name: '__proto__', type: 'u8' }] }] },
    {
      ...sample,
      structs: [{ name: 'A', fields: [{ name: 'a', type: 'string', max: evil }] }],
    },
    {
      ...sample,
      structs: [{ name: 'A', fields: [{ name: 'a', type: { list: 'u8', length: evil } }] }],
    },
    {
      ...sample,
      structs: [{ name: 'A', fields: [{ name: 'a', type: 'B' }] }],
      aliases: [{ name: 'B', type: 'string', max: evil }],
    },
    {
      ...sample,
      structs: [{ name: 'A', fields: [{ name: 'a', type: 'B' }] }],
      enums: [{ name: 'B', variants: [{ name: 'C', tag: evil }] }],
    },
  ];
  for (const foreign of manifests) {
    const manifest = foreign as Manifest;
    const { A } = compileTypes<{ A: unknown }>({
      ...manifest,
      enums: manifest.enums === sample.enums ? [] : manifest.enums,
      contracts: [],
      interfaces: [],
    });
    assert.throws(() => A.toJson({}), /in the manifest, got/);
    assert.throws(() => A.fromJson({}), /in the manifest, got/);
    assert.throws(() => A.encode({}), /in the manifest, got/);
    assert.throws(() => A.decode(new Uint8Array(0)), /in the manifest, got/);
  }
});
