// JSON written directly from bytes equals the codecs' JSON of the decoded value.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { compileContract } from '../../../src/idl/abi/contract-abi.js';
import { BorshError } from '../../../src/idl/codecs/codec-errors.js';
import { compileIdl } from '../../../src/idl/compiler/compile.js';

const SIZES = {
  u8: 1,
  u16: 2,
  u32: 4,
  u64: 8,
  u128: 16,
  i8: 1,
  i16: 2,
  i32: 4,
  i64: 8,
  i128: 16,
  address: 20,
  hash: 32,
  bytes1: 1,
  bytes20: 20,
  bytes32: 32,
  bytes33: 33,
  Alias: 8,
  Name: 4,
};
type TypeName = keyof typeof SIZES;
const names = Object.keys(SIZES) as TypeName[];

const IDL = `
type Alias = u64;
type Name = bytes4;
struct Pair { a: u64; b: bool; }
contract Every {
${names.map((name) => `  view get_${name.toLowerCase()}() -> ${name};`).join('\n')}
  view get_bool() -> bool;
  view get_pair() -> Pair;
  view get_text() -> string;
  method nothing();
  method all(${names.map((name, index) => `f${index}: ${name}`).join(', ')});
  method some(a: u32, b?: u32);
  event Seen { indexed who: address; indexed count: i64; ${names.map((name, index) => `f${index}: ${name};`).join(' ')} }
}
`;
const { manifest } = compileIdl([{ name: 'every.idl', text: IDL }]);
const abi = compileContract(manifest, (data) => createHash('sha256').update(data).digest());

/** Bytes with many values at which the text of a number or string changes its form. */
const bytes = (length: number): fc.Arbitrary<Uint8Array> =>
  fc
    .array(fc.oneof(fc.constantFrom(0, 0, 0, 0x1f, 0x20, 0x7f, 0x80, 0xff), fc.nat(255)), {
      minLength: length,
      maxLength: length,
    })
    .map((each) => Uint8Array.from(each));

function sameText(write: () => string | undefined, expected: () => string | undefined): void {
  let text: string | undefined;
  try {
    text = expected();
  } catch (error) {
    assert.ok(error instanceof BorshError);
    const { message } = error;
    assert.throws(write, (thrown) => thrown instanceof BorshError && thrown.message === message);
    return;
  }
  assert.equal(write(), text);
}

test('results of every type are written as decoded, even from inputs that are too long, too short or empty', () => {
  const functions = [...abi.functions.values()];
  fc.assert(
    fc.property(
      fc.constantFrom(...functions),
      fc.oneof(...[0, 1, 2, 4, 8, 9, 16, 20, 32, 33].map(bytes), fc.uint8Array({ maxLength: 40 })),
      (called, output) => {
        const { result } = called;
        if (result === undefined) assert.equal(called.resultText(output), undefined);
        else
          sameText(
            () => called.resultText(output),
            () => result.toJson(result.decode(output)),
          );
      },
    ),
    { numRuns: 3_000 },
  );
});

for (const [name, size] of Object.entries(SIZES)) {
  test(`any bytes of the size of ${name} are written as decoded`, () => {
    const called = abi.function(`get_${name.toLowerCase()}`);
    fc.assert(
      fc.property(bytes(size), (output) => {
        const { result } = called;
        assert.ok(result !== undefined);
        assert.equal(called.resultText(output), result.toJson(result.decode(output)));
      }),
      { numRuns: 300 },
    );
  });
}

test('arguments and events of many fields are written as decoded', () => {
  const length = Object.values(SIZES).reduce((sum, size) => sum + size, 0);
  const { arguments: all } = abi.function('all');
  const seen = abi.events.get('Seen');
  assert.ok(seen !== undefined);
  fc.assert(
    fc.property(bytes(length), bytes(20), bytes(8), (data, who, count) => {
      const input = Buffer.concat([abi.function('all').selector, data]);
      assert.equal(abi.function('all').argumentsText(input), all.toJson(all.decode(data)));
      const topics = [
        seen.topic,
        ...[who, count].map((value) => Buffer.concat([Buffer.alloc(32 - value.length), value])),
      ];
      const values = seen.decodeValues(topics, data) as object;
      // Encoding the fields' text gives the original bytes.
      const again = seen.encode(JSON.parse(seen.decodeToText(topics, data)));
      assert.deepEqual(
        again.topics.map((each) => Buffer.from(each)),
        topics.map((each) => Buffer.from(each)),
      );
      assert.deepEqual(Buffer.from(again.data), Buffer.from(data));
      assert.deepEqual(Object.keys(values), Object.keys(seen.decode(topics, data)));
    }),
    { numRuns: 300 },
  );
  assert.equal(abi.function('nothing').argumentsText(abi.function('nothing').selector), '{}');
  const some = abi.function('some');
  assert.equal(some.argumentsText(some.encodeCall([1, 2])), '{"a":1,"b":2}');
});
