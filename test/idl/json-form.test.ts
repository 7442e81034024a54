import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { JsonDecodeError, JsonEncodeError } from '../../src/idl/codecs/codec-errors.js';
import { compileIdl } from '../../src/idl/compiler/compile.js';
import { compileTypes } from '../support/runtime-codecs.js';
import { sampleManifest } from '../support/sample-idl.js';

const manifest = sampleManifest();
const codecs = compileTypes<Record<string, unknown>>(manifest);
const lenient = compileTypes<Record<string, unknown>>(manifest, { unknownMembers: 'ignore' });

function codec(name: string) {
  const found = codecs[name];
  assert.ok(found, name);
  return found;
}

function read(type: string, text: string): unknown {
  return codec(type).fromJson(JSON.parse(text));
}

function refused(type: string, text: string, path: string, message?: RegExp): void {
  assert.throws(
    () => read(type, text),
    (error) => {
      assert.ok(error instanceof JsonDecodeError, `${error}`);
      assert.equal(error.path, path);
      assert.ok(error.message.startsWith(`${path}: expected `));
      if (message !== undefined) assert.match(error.message, message);
      return true;
    },
  );
}

function numbers(members: Record<string, string>): string {
  const all: Record<string, string> = {
    a: '0',
    b: '0',
    c: '0',
    d: '0',
    e: '"0"',
    f: '0',
    g: '0',
    h: '0',
    i: '0',
    j: '"0"',
    ...members,
  };
  return `{${Object.entries(all)
    .map(([name, value]) => `"${name}":${value}`)
    .join(',')}}`;
}

function texts(members: Record<string, unknown>): string {
  return JSON.stringify({
    short: 'a',
    long: '',
    blob: '0x',
    four: '0x01020304',
    digest: '00'.repeat(32),
    key: '00'.repeat(32),
    who: `0x${'00'.repeat(20)}`,
    ...members,
  });
}

type Numbers = Record<'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j', number | bigint>;
type Texts = Record<'four' | 'digest' | 'key' | 'who' | 'blob', Uint8Array> &
  Record<'short' | 'long', string>;

describe('integers in JSON', () => {
  test('every integer may come as a string of decimal digits', () => {
    const digits = {
      a: '"255"',
      b: '"65535"',
      c: '"4294967295"',
      d: '"7"',
      f: '"-128"',
      g: '"0"',
      h: '"-1"',
      i: '"-9"',
    };
    const value = read('Numbers', numbers(digits)) as Numbers;
    assert.deepEqual(
      [value.a, value.b, value.c, value.d, value.f, value.g, value.h, value.i],
      [255, 65535, 4294967295, 7n, -128, 0, -1, -9n],
    );
    for (const wrong of ['"256"', '"-1"', '"01"', '"1.0"', '" 1"', '""', '"1e2"', '"0x1"']) {
      refused('Numbers', numbers({ a: wrong }), 'Numbers.a', /u8/);
    }
  });

  test('64-bit values are integers up to 2^53 − 1, both ways', () => {
    const value = read('Numbers', numbers({ d: '9007199254740991', i: '-9007199254740991' })) as Numbers;
    assert.equal(value.d, 9007199254740991n);
    assert.equal(value.i, -9007199254740991n);
    assert.match(codec('Numbers').toJson(value), /"d":9007199254740991,.*"i":-9007199254740991,/);
  });

  test('larger ones are strings of decimal digits, both ways', () => {
    for (const [d, i] of [
      [1n << 53n, -(1n << 53n)],
      [(1n << 64n) - 1n, -(1n << 63n)],
      [(1n << 63n) + 1n, (1n << 63n) - 1n],
    ]) {
      const value = read('Numbers', numbers({ d: `"${d}"`, i: `"${i}"` })) as Numbers;
      assert.deepEqual([value.d, value.i], [d, i]);
      assert.match(codec('Numbers').toJson(value), new RegExp(`"d":"${d}",.*"i":"${i}",`));
    }
  });

  test('a larger number is refused, because JavaScript has rounded it, and so is one of more than 64 bits', () => {
    refused('Numbers', numbers({ d: '9007199254740992' }), 'Numbers.d', /a string of decimal digits/);
    refused('Numbers', numbers({ i: '-9007199254740992' }), 'Numbers.i');
    refused('Numbers', numbers({ d: '"18446744073709551616"' }), 'Numbers.d');
    refused('Numbers', numbers({ d: '"-1"' }), 'Numbers.d');
    refused('Numbers', numbers({ i: '"9223372036854775808"' }), 'Numbers.i');
    refused('Numbers', numbers({ i: '"-9223372036854775809"' }), 'Numbers.i');
  });

  test('128-bit values are decimal strings; small integers are accepted too', () => {
    const most = ((1n << 128n) - 1n).toString();
    const value = read('Numbers', numbers({ e: `"${most}"`, j: '-5' })) as Numbers;
    assert.equal(value.e, (1n << 128n) - 1n);
    assert.equal(value.j, -5n);
    assert.match(codec('Numbers').toJson(value), new RegExp(`"e":"${most}",.*"j":"-5"`));
  });

  test('a decimal string has one form only', () => {
    for (const e of [
      '"01"',
      '""',
      '"+1"',
      '" 1"',
      '"1 "',
      '"-1"',
      '"-0"',
      '"1e3"',
      '"0x1"',
      '"1n"',
      `"${1n << 128n}"`,
      '1.5',
      '-1',
      '9007199254740992',
      'true',
      '[1]',
    ]) {
      refused('Numbers', numbers({ e }), 'Numbers.e');
    }
    for (const j of ['"-0"', '"-01"', '"--1"', '"-"', `"${1n << 127n}"`, `"${-(1n << 127n) - 1n}"`]) {
      refused('Numbers', numbers({ j }), 'Numbers.j');
    }
    assert.equal((read('Numbers', numbers({ j: `"${-(1n << 127n)}"` })) as Numbers).j, -(1n << 127n));
  });

  test('fractions, other types and values out of range are refused; 1.0 and -0 are integers', () => {
    for (const a of ['1.5', '"1.5"', '256', '-1', 'null', 'true', '1e400', '[1]', '{}'])
      refused('Numbers', numbers({ a }), 'Numbers.a');
    const value = read('Numbers', numbers({ a: '1.0', c: '-0', d: '-0', h: '-0' })) as Numbers;
    assert.equal(value.a, 1);
    assert.ok(Object.is(value.c, 0) && Object.is(value.h, 0));
    assert.equal(value.d, 0n);
  });
});

describe('bytes and text in JSON', () => {
  const AB = 'ab'.repeat(32);

  test('addresses and bytes have 0x and lowercase digits; any case is accepted', () => {
    const value = read('Texts', texts({ who: `0x${'aB'.repeat(20)}`, blob: '0xFf' })) as Texts;
    assert.deepEqual(value.who, new Uint8Array(20).fill(0xab));
    assert.match(codec('Texts').toJson(value), new RegExp(`"blob":"0xff".*"who":"0x${'ab'.repeat(20)}"`));
  });

  test('hashes and bytes32 have no prefix; a prefix is accepted', () => {
    const value = read('Texts', texts({ digest: AB, key: `0x${AB.toUpperCase()}` })) as Texts;
    assert.deepEqual(value.digest, new Uint8Array(32).fill(0xab));
    assert.deepEqual(value.key, value.digest);
    assert.match(
      codec('Texts').toJson(value),
      new RegExp(`"four":"0x01020304","digest":"${AB}","key":"${AB}"`),
    );
  });

  test('text that is not hex, or of another length, is refused with the expected form', () => {
    refused(
      'Texts',
      texts({ who: `${'00'.repeat(20)}` }),
      'Texts.who',
      /address \(0x \+ 40 hex digits\), got "0000/,
    );
    refused('Texts', texts({ who: `0x${'00'.repeat(19)}` }), 'Texts.who');
    refused('Texts', texts({ who: `0X${'00'.repeat(20)}` }), 'Texts.who');
    refused('Texts', texts({ who: `0x${'0g'.repeat(20)}` }), 'Texts.who');
    refused('Texts', texts({ who: `0x${'0é'.repeat(20)}` }), 'Texts.who');
    refused('Texts', texts({ digest: '00'.repeat(31) }), 'Texts.digest', /hash \(64 hex digits\)/);
    refused('Texts', texts({ key: `0x${'00'.repeat(31)}zz` }), 'Texts.key', /bytes32/);
    refused('Texts', texts({ four: '01020304' }), 'Texts.four', /bytes4 \(0x \+ 8 hex digits\)/);
    refused('Texts', texts({ blob: '0x0' }), 'Texts.blob');
    refused('Texts', texts({ blob: 'ff' }), 'Texts.blob');
    refused('Texts', texts({ blob: [1] }), 'Texts.blob', /got a list of 1 item/);
  });

  test('bytes beyond the fast path are read the same', () => {
    const unit = compileIdl([{ name: 'long.idl', text: 'struct L { b: bytes; }' }]);
    const longManifest = compileTypes<{ L: { b: Uint8Array } }>(unit.manifest);
    const b = Uint8Array.from({ length: 1000 }, (_, i) => i);
    const json = longManifest.L.toJson({ b });
    assert.deepEqual(longManifest.L.fromJson(JSON.parse(json)), { b });
    assert.throws(() => longManifest.L.fromJson({ b: `0x${'00'.repeat(100)}0g` }), JsonDecodeError);
  });

  test('@max counts bytes of UTF-8', () => {
    assert.equal((read('Texts', texts({ short: '€a' })) as Texts).short, '€a');
    refused('Texts', texts({ short: '€€' }), 'Texts.short', /at most 5 bytes of UTF-8, got 6 bytes/);
    refused('Texts', texts({ blob: '0x01020304' }), 'Texts.blob', /at most 3 bytes, got 4 bytes/);
  });

  test('a lone surrogate is refused, because no other encoding could hold it', () => {
    refused('Texts', texts({ long: '\ud800' }), 'Texts.long');
    assert.equal((read('Texts', texts({ long: '😀' })) as Texts).long, '😀');
  });

  test('strings are escaped as JSON requires', () => {
    const base = read('Texts', texts({})) as Texts;
    for (const long of [
      '"',
      '\\',
      '\n',
      '\u0000',
      '\u001f',
      '\u007f',
      '\u2028',
      '😀',
      '</script>',
      'plain',
    ]) {
      const json = codec('Texts').toJson({ ...base, long });
      assert.equal((JSON.parse(json) as Texts).long, long);
    }
  });
});

describe('objects in JSON', () => {
  test('an unknown member is named, with the likely one', () => {
    refused('Flags', '{"yes":true,"yess":1}', 'Flags.yess', /an unknown member; did you mean yes\?/);
    refused('Empty', '{"x":1}', 'Empty.x', /expected no members/);
    refused('Flags', '{"yes":true,"a b":1}', 'Flags["a b"]');
  });

  test('members of Object.prototype are unknown members too', () => {
    refused('Flags', '{"yes":true,"__proto__":{"yes":false}}', 'Flags.__proto__');
    refused('Flags', '{"yes":true,"constructor":1}', 'Flags.constructor');
    assert.equal(({} as Record<string, unknown>)['yes'], undefined);
  });

  test('a value is never taken from a prototype', () => {
    const value = JSON.parse('{"__proto__":{"yes":true}}') as unknown;
    assert.throws(() => lenient['Flags']?.fromJson(value), JsonDecodeError);
  });

  test('a lenient codec ignores unknown members at every level', () => {
    assert.deepEqual(lenient['Flags']?.fromJson({ yes: true, more: 1 }), { yes: true });
    const shape = { type: 'on_top', value: { yes: true, new_member: [] }, since: 3 };
    assert.deepEqual(lenient['Shape']?.fromJson(shape), { type: 'on_top', value: { yes: true } });
  });

  test('options may be absent or null, and decode to no property', () => {
    for (const text of ['{}', '{"u32":null,"option":null,"u8":null}'])
      assert.deepEqual(read('Options', text), {});
    assert.equal(codec('Options').toJson({}), '{}');
    assert.equal(codec('Options').toJson({ u8: 1 }), '{"u8":1}');
    assert.equal(codec('Options').toJson({ u32: 0, u8: 1, list: [2n] }), '{"u32":0,"u8":1,"list":["2"]}');
    refused('Options', '{"u8":300}', 'Options.u8');
  });

  test('options inside lists remain null', () => {
    const value = { few: [], pairs: [], maybe: [true, null, false], shapes: [] };
    const json = '{"few":[],"pairs":[],"maybe":[true,null,false],"shapes":[]}';
    assert.equal(codec('Lists').toJson(value), json);
    assert.deepEqual(read('Lists', json), value);
  });

  test('a missing member is reported as missing', () => {
    refused('Flags', '{}', 'Flags.yes', /got nothing/);
    refused('Flags', 'null', 'Flags', /got null/);
    refused('Flags', '[]', 'Flags', /got a list/);
  });

  test('lists must have their declared length, and paths count their items', () => {
    const list = (members: Record<string, unknown>) =>
      JSON.stringify({ few: [], pairs: [], maybe: [], shapes: [], ...members });
    refused('Lists', list({ few: [1, 2, 3] }), 'Lists.few', /at most 2 items/);
    refused('Lists', list({ pairs: [[1, 2], [3]] }), 'Lists.pairs[1]', /a list of 2 items/);
    refused(
      'Lists',
      list({
        pairs: [
          [1, 2],
          [3, 256],
        ],
      }),
      'Lists.pairs[1][1]',
    );
    refused(
      'Lists',
      list({ shapes: [{ type: 'point' }, { type: 'polygon', value: [['1', 'x']] }] }),
      'Lists.shapes[1].polygon[0][1]',
    );
  });
});

describe('enums in JSON', () => {
  test('a variant without payload has a null value, which may be omitted on input', () => {
    assert.equal(codec('Shape').toJson({ type: 'point' }), '{"type":"point","value":null}');
    for (const text of ['{"type":"point"}', '{"type":"point","value":null}']) {
      assert.deepEqual(read('Shape', text), { type: 'point' });
    }
    refused('Shape', '{"type":"point","value":0}', 'Shape.value', /null, since point carries no value/);
  });

  test('a payload is in value', () => {
    assert.equal(codec('Shape').toJson({ type: 'circle', value: 5 }), '{"type":"circle","value":5}');
    assert.deepEqual(read('Shape', '{"value":5,"type":"circle"}'), { type: 'circle', value: 5 });
    refused('Shape', '{"type":"circle"}', 'Shape.circle', /got nothing/);
    assert.deepEqual(read('Shape', '{"type":"maybe_not"}'), { type: 'maybe_not', value: null });
  });

  test('an unknown variant lists the known ones', () => {
    refused(
      'Shape',
      '{"type":"circel","value":1}',
      'Shape.type',
      /one of point, circle, .*did you mean circle\?/,
    );
    refused('Shape', '{"type":"Circle","value":1}', 'Shape.type');
    refused('Shape', '{"value":1}', 'Shape.type', /got nothing/);
    refused('Shape', '{"type":"__proto__"}', 'Shape.type');
    refused('Shape', '"point"', 'Shape');
    refused('Shape', '{"type":"point","extra":1}', 'Shape.extra');
  });
});

describe('json values', () => {
  const nestedLists = (levels: number): unknown => {
    let value: unknown = 1;
    for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { a: value };
    return value;
  };

  test('64 levels are accepted and 65 refused, both ways', () => {
    assert.deepEqual(codec('Loose').fromJson({ any: nestedLists(64) }), { any: nestedLists(64) });
    assert.equal(codec('Loose').toJson({ any: nestedLists(64) }), JSON.stringify({ any: nestedLists(64) }));
    assert.throws(
      () => codec('Loose').fromJson({ any: nestedLists(65) }),
      (e) => e instanceof JsonDecodeError && e.code === 'too_deep',
    );
    assert.throws(() => codec('Loose').toJson({ any: nestedLists(65) }), JsonEncodeError);
    assert.throws(() => codec('Loose').fromJson({ any: nestedLists(5000) }), JsonDecodeError);
  });

  test('null is a value where one is required, and absence elsewhere', () => {
    assert.deepEqual(read('Loose', '{"any":null,"maybe":null}'), { any: null });
    refused('Loose', '{}', 'Loose.any');
  });

  test('a value that JSON cannot express is refused with its path', () => {
    for (const wrong of [
      undefined,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      1n,
      () => 1,
      new Date(0),
      new Map(),
      new Uint8Array(1),
    ]) {
      assert.throws(
        () => codec('Loose').toJson({ any: { a: [wrong] } }),
        (e) => e instanceof JsonEncodeError && e.path.startsWith('Loose.any'),
      );
    }
  });
});

describe('JSON encoding validates its input', () => {
  test('a value of another type is never written as JSON', () => {
    const value = read('Numbers', numbers({})) as Numbers;
    const wrong: readonly Partial<Record<keyof Numbers, unknown>>[] = [
      { a: 256 },
      { a: Number.NaN },
      { b: 1.5 },
      { c: -1 },
      { c: '1' },
      { d: 1 },
      { d: -1n },
      { e: 1 },
      { e: 1n << 128n },
      { f: 128 },
      { g: 1n },
      { h: 2 ** 31 },
      { i: 0 },
      { j: 1n << 127n },
    ];
    for (const member of wrong) {
      const [name] = Object.keys(member);
      assert.throws(
        () => codec('Numbers').toJson({ ...value, ...member }),
        (e) => e instanceof JsonEncodeError && e.path === `Numbers.${name}`,
      );
    }
    assert.throws(() => codec('Flags').toJson({ yes: 1 }), JsonEncodeError);
    assert.throws(() => codec('Flags').toJson(null), JsonEncodeError);
    assert.throws(() => codec('Shape').toJson({ type: 'sphere' }), JsonEncodeError);
    assert.throws(
      () => codec('Texts').toJson({ ...(read('Texts', texts({})) as Texts), who: new Uint8Array(19) }),
      JsonEncodeError,
    );
  });

  test('a value that contains itself is refused', () => {
    const tree: { label: string; children: unknown[] } = { label: '', children: [] };
    tree.children.push(tree);
    assert.throws(() => codec('Tree').toJson(tree), JsonEncodeError);
    assert.throws(() => codec('Tree').fromJson(tree), JsonDecodeError);
  });
});

test('errors use the caller’s name for the value', () => {
  assert.throws(
    () => codec('Flags').fromJson({ yes: 'no' }, 'params.flags'),
    /^JsonDecodeError: params\.flags\.yes: expected true or false, got "no"$/,
  );
});
