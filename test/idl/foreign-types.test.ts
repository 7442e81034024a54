// Interfaces come from strangers: a few bytes must not decode to very many values, or to very long names.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { type ContractAbi, compileContract } from '../../src/idl/abi/contract-abi.js';
import type { FunctionAbi } from '../../src/idl/abi/function-abi.js';
import { BorshError, JsonEncodeError } from '../../src/idl/codecs/codec-errors.js';
import { compileIdl } from '../../src/idl/compiler/compile.js';

const sha256 = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest();

function abiOf(text: string): ContractAbi {
  return compileContract(compileIdl([{ name: 'contract.idl', text }]).manifest, sha256);
}

function resultOf(text: string): NonNullable<FunctionAbi['result']> {
  const { result } = abiOf(text).function('get');
  return result ?? assert.fail('get returns something');
}

/** Nested structs of eight fields each. */
function levels(count: number, innermost: string): string {
  const structs = [`struct Level0 { ${innermost} }`];
  for (let level = 1; level <= count; level++) {
    const fields = [...'abcdefgh'].map((field) => `${field}: Level${level - 1};`);
    structs.push(`struct Level${level} { ${fields.join(' ')} }`);
  }
  return structs.join('\n');
}

const TOO_LONG = (error: unknown): boolean => error instanceof BorshError && error.code === 'too_long';

test('astronomically large types are compiled, and refused before any value is read', () => {
  const returns = ['Level40', 'Level40?', 'Choice'];
  for (const innermost of ['', 'x: u8;']) {
    for (const returned of innermost === '' ? returns : [...returns, 'Level40[]', 'Level40[3]']) {
      const result = resultOf(
        `${levels(40, innermost)}\nenum Choice { One: Level40, Two: Level39 }\ncontract C { view get() -> ${returned}; event E { indexed all: Level40; } error Wrong { all: Level40; } }`,
      );
      for (const length of [0, 1, 5, 1_000, 65_536]) {
        assert.throws(
          () => result.decode(new Uint8Array(length).fill(1)),
          (error) => error instanceof BorshError,
        );
      }
    }
  }
  const level = resultOf(`${levels(3, '')}\ncontract C { view get() -> Level3; }`);
  assert.throws(() => level.decode(new Uint8Array(0)), TOO_LONG);
  const few = resultOf(`${levels(2, '')}\ncontract C { view get() -> Level2; }`);
  assert.match(few.toJson(few.decode(new Uint8Array(0))), /^\{"a":\{"a":\{\}/);
});

test('the number of a value’s parts is limited by its bytes, and real types stay below the limit', () => {
  const wrapped = 'struct A { x: u8; } struct B { a: A?; }';
  const list = resultOf(`${wrapped}\ncontract C { view get() -> B[]; }`);
  const items = Array.from({ length: 10_000 }, (_, x) => ({ a: { x: x % 256 } }));
  const bytes = list.encode(items);
  assert.equal(list.toJson(list.decode(bytes)), JSON.stringify(items));
  const deep = `${Array.from({ length: 60 }, (_, at) => `struct W${at + 1} { w: W${at}; }`).join('\n')} struct W0 { x: u8; }`;
  const costly = resultOf(`${deep}\ncontract C { view get() -> W60[]; }`);
  const many = new Uint8Array(4 + 60_000);
  new DataView(many.buffer).setUint32(0, 60_000, true);
  assert.throws(() => costly.decode(many), TOO_LONG);
});

test('the text of one value is limited to some megabytes, whatever makes it long', () => {
  const name = `Name${'x'.repeat(30_000)}`;
  const field = name.toLowerCase();
  // Each type with the bytes of one item.
  const types = [
    [`enum Named { ${name} }`, [0]],
    [`enum Named { ${name}: u8 }`, [0, 1]],
    [`struct Named { ${field}: u8; }`, [1]],
    [`struct Named { ${field}?: u8; }`, [1, 1]],
  ] as const;
  for (const [type, item] of types) {
    const result = resultOf(`${type}\ncontract C { view get() -> Named[]; }`);
    const bytes = new Uint8Array(4 + 30_000 * item.length);
    new DataView(bytes.buffer).setUint32(0, 30_000, true);
    for (let at = 4; at < bytes.length; at += item.length) bytes.set(item, at);
    const value = result.decode(bytes);
    assert.throws(() => result.toJson(value), JsonEncodeError);
  }
});
