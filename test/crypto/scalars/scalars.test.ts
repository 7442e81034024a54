import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import fc from 'fast-check';
import { CryptoError } from '../../../src/crypto/crypto-error.js';
import {
  decodeScalar,
  encodeScalar,
  GROUP_ORDER,
  invertScalar,
  modOrder,
  randomScalar,
} from '../../../src/crypto/scalars/scalars.js';
import { hex } from '../../support/hex.js';

const { Fr } = bls12_381.fields;
const scalar = fc.bigInt({ min: 0n, max: GROUP_ORDER - 1n });

test('scalars are 32 big-endian bytes, from 1 to the group order minus 1', () => {
  assert.equal(GROUP_ORDER, Fr.ORDER);
  fc.assert(
    fc.property(scalar, (value) => {
      const bytes = encodeScalar(value);
      assert.equal(hex(bytes), value.toString(16).padStart(64, '0'));
      assert.equal(decodeScalar(bytes), value === 0n ? undefined : value);
    }),
    { examples: [[0n], [1n], [255n], [258n], [2n ** 64n], [GROUP_ORDER - 1n]] },
  );
  for (const value of [0n, GROUP_ORDER, GROUP_ORDER + 1n, 2n ** 256n - 1n]) {
    assert.equal(decodeScalar(encodeScalar(value)), undefined);
  }
  for (const length of [0, 31, 33]) assert.equal(decodeScalar(new Uint8Array(length).fill(1)), undefined);
});

test('every integer has a remainder from 0 to the group order minus 1', () => {
  assert.equal(modOrder(-1n), GROUP_ORDER - 1n);
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 520n), max: 2n ** 520n }), (value) => {
      assert.equal(modOrder(value), Fr.create(value));
    }),
    { examples: [[0n], [GROUP_ORDER], [-GROUP_ORDER], [GROUP_ORDER - 1n]] },
  );
});

test('every scalar but zero has an inverse', () => {
  fc.assert(
    fc.property(scalar, (value) => {
      const refused = (error: unknown) => error instanceof CryptoError && error.code === 'out_of_range';
      if (value === 0n) assert.throws(() => invertScalar(value), refused);
      else assert.equal(modOrder(value * invertScalar(value)), 1n);
    }),
    { examples: [[0n], [1n], [GROUP_ORDER - 1n]] },
  );
});

test('random scalars are in range for any random bytes', () => {
  for (const byte of [0, 1, 127, 255]) {
    const value = randomScalar((length) => new Uint8Array(length).fill(byte));
    assert.ok(value > 0n && value < GROUP_ORDER);
  }
});
