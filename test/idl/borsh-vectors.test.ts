import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compileIdl } from '../../src/idl/compiler/compile.js';
import { compileTypes } from '../support/runtime-codecs.js';

/**
 * External examples: the README of the Rust implementation (near/borsh-rs: struct A), the README of the JavaScript
 * implementation (near/borsh-js: {x, y, z, arr}), and the values fixed by the latter's own tests.
 */
const { manifest } = compileIdl([
  {
    name: 'vectors.idl',
    text: `
struct A { x: u64; y: string; }
struct Readme { x: u8; y: u64; z: string; arr: u8[]; }
struct U8 { v: u8; } struct U16 { v: u16; } struct U32 { v: u32; } struct U64 { v: u64; } struct U128 { v: u128; }
struct I8 { v: i8; } struct I16 { v: i16; } struct I32 { v: i32; } struct I64 { v: i64; } struct I128 { v: i128; }
struct Bool { v: bool; } struct Text { v: string; }
struct Bools { v: bool[]; } struct TwoBools { v: bool[2]; }
struct Options { u32: u32?; option: string?; u8: u8?; }
struct N { n: u8; } struct Sa { sa: N; } struct Nested { a: Sa; b: u16; c: u32; }
struct Mixture {
  foo: u32; bar: i32; u64_val: u64; i64_val: i64; flag: bool; baz: string; uint8array: u8[2]; arr: string[][];
  u32_arr: u32[]; i32_arr: i32[]; u128_val: u128; uint8arrays: u8[2][]; u64_arr: u64[];
}
struct Big { u64: u64; u128: u128; arr: u8[254]; }
enum Either { Nested: Nested, Options: Options }
`,
  },
]);
const codecs = compileTypes<Record<string, unknown>>(manifest);

const nested = { a: { sa: { n: 1 } }, b: 2, c: 3 };
const nestedBytes = [1, 2, 0, 3, 0, 0, 0];
const TESTING = [7, 0, 0, 0, 116, 101, 115, 116, 105, 110, 103];
const bytesUpTo254 = Array.from({ length: 254 }, (_, i) => i);

const VECTORS: readonly (readonly [type: string, value: unknown, encoding: readonly number[]])[] = [
  [
    'A',
    { x: 3301n, y: 'liber primus' },
    [0xe5, 0x0c, 0, 0, 0, 0, 0, 0, 12, 0, 0, 0, ...Buffer.from('liber primus')],
  ],
  [
    'Readme',
    { x: 255, y: 20n, z: '123', arr: [1, 2, 3] },
    [255, 20, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 49, 50, 51, 3, 0, 0, 0, 1, 2, 3],
  ],
  ['U8', { v: 100 }, [100]],
  ['U16', { v: 258 }, [2, 1]],
  ['U32', { v: 102 }, [102, 0, 0, 0]],
  ['U64', { v: 103n }, [103, 0, 0, 0, 0, 0, 0, 0]],
  ['U128', { v: 104n }, [104, ...new Array<number>(15).fill(0)]],
  ['I8', { v: -100 }, [156]],
  ['I16', { v: -258 }, [254, 254]],
  ['I32', { v: -102 }, [154, 255, 255, 255]],
  ['I64', { v: -103n }, [153, ...new Array<number>(7).fill(255)]],
  ['I128', { v: -104n }, [152, ...new Array<number>(15).fill(255)]],
  ['Bool', { v: true }, [1]],
  ['Bool', { v: false }, [0]],
  ['Text', { v: 'h"i' }, [3, 0, 0, 0, 104, 34, 105]],
  ['Bools', { v: [true, false] }, [2, 0, 0, 0, 1, 0]],
  ['TwoBools', { v: [true, false] }, [1, 0]],
  ['Options', { u32: 2, u8: 1 }, [1, 2, 0, 0, 0, 0, 1, 1]],
  ['Nested', nested, nestedBytes],
  ['Either', { type: 'nested', value: nested }, [0, ...nestedBytes]],
  [
    'Mixture',
    {
      foo: 321,
      bar: 123,
      u64_val: 4294967297n,
      i64_val: -64n,
      flag: true,
      baz: 'testing',
      uint8array: [240, 241],
      arr: [['testing'], ['testing']],
      u32_arr: [21, 11],
      i32_arr: [],
      u128_val: 128n,
      uint8arrays: [
        [240, 241],
        [240, 241],
      ],
      u64_arr: [10000000000n, 100000000000n],
    },
    [
      ...[65, 1, 0, 0, 123, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
      ...[192, 255, 255, 255, 255, 255, 255, 255, 1, ...TESTING, 240, 241],
      ...[2, 0, 0, 0, 1, 0, 0, 0, ...TESTING, 1, 0, 0, 0, ...TESTING],
      ...[2, 0, 0, 0, 21, 0, 0, 0, 11, 0, 0, 0, 0, 0, 0, 0],
      ...[128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      ...[2, 0, 0, 0, 240, 241, 240, 241],
      ...[2, 0, 0, 0, 0, 228, 11, 84, 2, 0, 0, 0, 0, 232, 118, 72, 23, 0, 0, 0],
    ],
  ],
  [
    'Big',
    { u64: 18446744073709551615n, u128: 340282366920938463463374607431768211455n, arr: bytesUpTo254 },
    [...new Array<number>(24).fill(255), ...bytesUpTo254],
  ],
];

describe('published Borsh examples', () => {
  for (const [type, value, encoding] of VECTORS) {
    test(`${type} is encoded as ${encoding.slice(0, 12).join(' ')}${encoding.length > 12 ? ' …' : ''} and back`, () => {
      const codec = codecs[type];
      assert.ok(codec);
      assert.deepEqual([...codec.encode(value)], encoding);
      assert.deepEqual(codec.decode(Uint8Array.from(encoding)), value);
    });
  }
});
