import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blake3 } from '@noble/hashes/blake3.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';
import { addBlake3 } from '../../src/wasm/hashes/blake3.js';
import { addKeccak256 } from '../../src/wasm/hashes/keccak256.js';
import { MAX_STANDALONE_BYTES, standaloneHash } from '../../src/wasm/hashes/standalone.js';
import { hex } from '../support/hex.js';

const HASHES = [
  { name: 'keccak256', add: addKeccak256, reference: keccak_256, longest: MAX_STANDALONE_BYTES },
  { name: 'blake3', add: addBlake3, reference: blake3, longest: 1_024 },
] as const;

for (const { name, add, reference, longest } of HASHES) {
  test(`${name} of the host matches a library for any bytes`, () => {
    const hash = standaloneHash(add, () => assert.fail('a short input was handed on'));
    for (let length = 0; length <= 600; length++) {
      const data = Uint8Array.from({ length }, (_, index) => (index * 7 + length) & 0xff);
      assert.equal(hex(hash(data)), hex(reference(data)), `${length} bytes`);
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1_024 }), fc.nat({ max: 40 }), (data, offset) => {
        const part = data.subarray(offset);
        assert.equal(hex(hash(part)), hex(reference(part)));
      }),
    );
  });

  test(`${name} of the host handles its longest input itself and delegates longer ones`, () => {
    const handedOn: number[] = [];
    const hash = standaloneHash(add, (data) => {
      handedOn.push(data.length);
      return reference(data);
    });
    for (const length of [longest, longest + 1, 100_000]) {
      const data = new Uint8Array(length).fill(length & 0xff);
      assert.equal(hex(hash(data)), hex(reference(data)), `${length} bytes`);
    }
    assert.deepEqual(handedOn, [longest + 1, 100_000]);
  });

  test(`${name} of the host gives every caller separate memory`, () => {
    const hash = standaloneHash(add, reference);
    const first = hash(Uint8Array.of(1));
    const before = hex(first);
    assert.notEqual(hex(hash(Uint8Array.of(2))), before);
    assert.equal(hex(first), before);
    assert.equal(first.length, first.buffer.byteLength);
  });
}
