import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BorshError, type BorshErrorCode } from '../../src/idl/codecs/codec-errors.js';
import { compileTypes } from '../support/runtime-codecs.js';
import { sampleManifest } from '../support/sample-idl.js';

const codecs = compileTypes<Record<string, unknown>>(sampleManifest());

function codec(name: string) {
  const found = codecs[name];
  assert.ok(found, name);
  return found;
}

function refused(action: () => unknown, code: BorshErrorCode, path: string, offset?: number): void {
  assert.throws(action, (error) => {
    assert.ok(error instanceof BorshError, `${error}`);
    assert.deepEqual({ code: error.code, path: error.path, offset: error.offset }, { code, path, offset });
    assert.ok(error.message.startsWith(path));
    return true;
  });
}

const texts = {
  short: 'ab',
  long: '',
  blob: new Uint8Array(1),
  four: new Uint8Array(4),
  digest: new Uint8Array(32),
  key: new Uint8Array(32),
  who: new Uint8Array(20),
};

describe('Borsh decoding is strict', () => {
  test('a byte after the value is refused', () => {
    refused(() => codec('Flags').decode(Uint8Array.of(1, 0)), 'trailing_bytes', 'Flags', 1);
  });

  test('the first of several values is read without knowing its end, and a partial value is never returned', () => {
    assert.deepEqual(codec('Flags').decodeFirst(Uint8Array.of(1, 0)), {
      value: codec('Flags').decode(Uint8Array.of(1)),
      length: 1,
    });
    assert.equal(codec('Flags').decodeFirst(Uint8Array.of(0)).length, 1);
    refused(() => codec('Flags').decodeFirst(new Uint8Array(0)), 'out_of_input', 'Flags.yes', 0);
  });

  test('a bool other than 0 or 1 is refused', () => {
    refused(() => codec('Flags').decode(Uint8Array.of(2)), 'bad_flag', 'Flags.yes', 0);
  });

  test('an option flag other than 0 or 1 is refused', () => {
    refused(() => codec('Options').decode(Uint8Array.of(0, 2)), 'bad_flag', 'Options.option', 1);
  });

  test('an unknown variant is refused', () => {
    refused(() => codec('Shape').decode(Uint8Array.of(5)), 'unknown_variant', 'Shape', 0);
  });

  test('the path names the variant whose payload is wrong', () => {
    refused(() => codec('Shape').decode(Uint8Array.of(3, 9)), 'bad_flag', 'Shape.on_top.yes', 1);
  });

  test('an input that ends early names the field that is missing', () => {
    refused(() => codec('Numbers').decode(new Uint8Array(5)), 'out_of_input', 'Numbers.c', 3);
  });

  test('text that is not UTF-8 is refused, short or long', () => {
    const bad = (length: number) =>
      Uint8Array.of(0, 0, 0, 0, length, 0, 0, 0, ...new Array(length - 1).fill(97), 0xff);
    refused(() => codec('Texts').decode(bad(5)), 'bad_utf8', 'Texts.long', 8);
    refused(() => codec('Texts').decode(bad(200)), 'bad_utf8', 'Texts.long', 8);
    // An overlong form of "/" and an encoded surrogate are not UTF-8 either.
    for (const sequence of [
      [0xc0, 0xaf],
      [0xed, 0xa0, 0x80],
    ]) {
      const input = Uint8Array.of(0, 0, 0, 0, sequence.length, 0, 0, 0, ...sequence);
      refused(() => codec('Texts').decode(input), 'bad_utf8', 'Texts.long', 8);
    }
  });

  test('a byte order mark is kept as a character', () => {
    const value = { ...texts, long: '\ufeffa long enough text to take the way of long texts' };
    assert.deepEqual(codec('Texts').decode(codec('Texts').encode(value)), value);
  });

  test('a length beyond the input is refused before anything is allocated', () => {
    const huge = [0xff, 0xff, 0xff, 0xff];
    refused(() => codec('Texts').decode(Uint8Array.of(0, 0, 0, 0, ...huge)), 'out_of_input', 'Texts.long', 8);
    refused(
      () => codec('Tree').decode(Uint8Array.of(0, 0, 0, 0, ...huge)),
      'out_of_input',
      'Tree.children',
      8,
    );
    // Three pairs of two u128 need 96 bytes; the input has 94.
    const short = Uint8Array.of(2, 3, 0, 0, 0, ...new Array(47 * 2).fill(0));
    refused(() => codec('Shape').decode(short), 'out_of_input', 'Shape.polygon', 5);
  });

  test('more than @max allows is refused, in lists, strings and bytes', () => {
    refused(
      () => codec('Lists').decode(Uint8Array.of(3, 0, 0, 0, 1, 0, 1, 0, 1, 0)),
      'too_long',
      'Lists.few',
      0,
    );
    refused(
      () => codec('Texts').decode(Uint8Array.of(6, 0, 0, 0, 97, 97, 97, 97, 97, 97)),
      'too_long',
      'Texts.short',
      0,
    );
    const blob = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 1, 1, 1, 1);
    refused(() => codec('Texts').decode(blob), 'too_long', 'Texts.blob', 8);
  });

  test('the limit of an alias holds wherever it is used', () => {
    const tree = { label: '12345', children: [] };
    refused(() => codec('Tree').encode(tree), 'too_long', 'Tree.label');
  });

  test('decoded bytes do not share memory with the input', () => {
    const input = codec('Texts').encode(texts);
    const decoded = codec('Texts').decode(input) as typeof texts;
    input.fill(0xff);
    assert.deepEqual(decoded, texts);
  });

  test('an input inside a larger buffer is read at its offset', () => {
    const encoding = codec('Texts').encode(texts);
    const larger = Buffer.alloc(encoding.length + 20, 7);
    larger.set(encoding, 9);
    assert.deepEqual(codec('Texts').decode(larger.subarray(9, 9 + encoding.length)), texts);
  });

  test('a recursive value deeper than the limit is refused before the stack overflows', () => {
    const levels = 100_000;
    const input = new Uint8Array(levels * 8);
    for (let i = 0; i < levels; i++) input[i * 8 + 4] = 1;
    assert.throws(
      () => codec('Tree').decode(input),
      (error) => error instanceof BorshError && error.code === 'too_deep',
    );
  });

  test('the next value after a refusal is decoded normally', () => {
    assert.throws(() => codec('Tree').decode(new Uint8Array(3)));
    assert.deepEqual(codec('Tree').decode(new Uint8Array(9)), { label: '', children: [] });
  });
});

describe('Borsh encoding validates its input', () => {
  const numbers = { a: 1, b: 2, c: 3, d: 4n, e: 5n, f: -1, g: -2, h: -3, i: -4n, j: -5n };

  test('integers beyond their type are refused', () => {
    const wrong: readonly (readonly [keyof typeof numbers, unknown])[] = [
      ['a', 256],
      ['a', -1],
      ['a', 1.5],
      ['a', '1'],
      ['a', 1n],
      ['b', 65_536],
      ['c', 2 ** 32],
      ['c', Number.NaN],
      ['d', 1n << 64n],
      ['d', -1n],
      ['d', 4],
      ['e', 1n << 128n],
      ['e', -1n],
      ['f', 128],
      ['f', -129],
      ['g', 32_768],
      ['h', 2 ** 31],
      ['i', 1n << 63n],
      ['i', -(1n << 63n) - 1n],
      ['j', 1n << 127n],
    ];
    for (const [field, value] of wrong) {
      refused(
        () => codec('Numbers').encode({ ...numbers, [field]: value }),
        'wrong_value',
        `Numbers.${field}`,
      );
    }
  });

  test('the limits of every range round-trip', () => {
    const least = {
      a: 0,
      b: 0,
      c: 0,
      d: 0n,
      e: 0n,
      f: -128,
      g: -32_768,
      h: -(2 ** 31),
      i: -(1n << 63n),
      j: -(1n << 127n),
    };
    const most = {
      a: 255,
      b: 65_535,
      c: 2 ** 32 - 1,
      d: (1n << 64n) - 1n,
      e: (1n << 128n) - 1n,
      f: 127,
      g: 32_767,
      h: 2 ** 31 - 1,
      i: (1n << 63n) - 1n,
      j: (1n << 127n) - 1n,
    };
    for (const value of [least, most])
      assert.deepEqual(codec('Numbers').decode(codec('Numbers').encode(value)), value);
  });

  test('31 bytes for a bytes32 are refused', () => {
    refused(() => codec('Texts').encode({ ...texts, key: new Uint8Array(31) }), 'wrong_value', 'Texts.key');
    refused(() => codec('Texts').encode({ ...texts, who: 'me' }), 'wrong_value', 'Texts.who');
  });

  test('a lone surrogate is refused instead of being replaced silently', () => {
    refused(() => codec('Texts').encode({ ...texts, long: 'a\ud800' }), 'wrong_value', 'Texts.long');
  });

  test('a fixed list of another length is refused', () => {
    const aliases = { amount: 1n, name: 'n', pair: [1n] };
    refused(() => codec('Aliases').encode(aliases), 'wrong_value', 'Aliases.pair');
  });

  test('an unknown variant, or one with the wrong payload, is refused', () => {
    refused(() => codec('Shape').encode({ type: 'sphere' }), 'unknown_variant', 'Shape.type');
    refused(() => codec('Shape').encode({ type: 'point', value: 3 }), 'wrong_value', 'Shape.value');
    refused(() => codec('Shape').encode(undefined), 'wrong_value', 'Shape');
  });

  test('missing members and missing lists are refused by name', () => {
    refused(() => codec('Numbers').encode({}), 'wrong_value', 'Numbers.a');
    refused(() => codec('Lists').encode({ few: [1], pairs: [[1, 2], 7] }), 'wrong_value', 'Lists.pairs[1]');
  });

  test('json has no binary form', () => {
    refused(() => codec('Loose').encode({ any: 1 }), 'no_binary_form', 'Loose.any');
    refused(() => codec('Loose').decode(Uint8Array.of(0)), 'no_binary_form', 'Loose.any', 0);
  });

  test('a value that contains itself is refused instead of being followed forever', () => {
    const tree: { label: string; children: unknown[] } = { label: '', children: [] };
    tree.children.push(tree);
    assert.throws(
      () => codec('Tree').encode(tree),
      (error) => error instanceof BorshError && error.code === 'too_deep',
    );
  });

  test('a transient encoding holds the same bytes until the next', () => {
    const first = codec('Texts').encodeTransient(texts);
    assert.deepEqual(Uint8Array.from(first), codec('Texts').encode(texts));
  });

  test('an encoding larger than any before is complete', () => {
    const long = 'é'.repeat(3_000_000);
    const value = { ...texts, long };
    assert.deepEqual(codec('Texts').decode(codec('Texts').encode(value)), value);
    assert.deepEqual(codec('Texts').decode(codec('Texts').encode(texts)), texts);
  });
});
