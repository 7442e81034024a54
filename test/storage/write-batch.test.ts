import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { COLUMNS, type Column } from '../../src/storage/columns.js';
import { countOperations, forEachOperation, WriteBatch } from '../../src/storage/write-batch.js';

type Operation = readonly [column: Column, key: Uint8Array, value: Uint8Array | undefined];

const operation: fc.Arbitrary<Operation> = fc.tuple(
  fc.constantFrom(...COLUMNS),
  fc.uint8Array({ minLength: 1, maxLength: 60 }),
  fc.option(fc.uint8Array({ maxLength: 3000 }), { nil: undefined }),
);

function encode(operations: readonly Operation[]): WriteBatch {
  const batch = new WriteBatch();
  for (const [column, key, value] of operations) {
    if (value === undefined) batch.delete(column, key);
    else batch.put(column, key, value);
  }
  return batch;
}

function decode(encoded: Uint8Array): Operation[] {
  const operations: Operation[] = [];
  forEachOperation(encoded, {
    put: (column, key, value) => operations.push([column, key.slice(), value.slice()]),
    delete: (column, key) => operations.push([column, key.slice(), undefined]),
  });
  return operations;
}

describe('a write batch', () => {
  it('reads back as the operations put into it, in order', () => {
    fc.assert(
      fc.property(
        fc.array(operation, { maxLength: 40 }),
        fc.array(operation, { maxLength: 10 }),
        (first, second) => {
          const batch = encode(first);
          batch.append(encode(second).finish());
          assert.equal(batch.count, first.length + second.length);
          const { byteLength } = batch;
          const encoded = batch.finish();
          assert.equal(encoded.length, byteLength);
          assert.equal(countOperations(encoded), first.length + second.length);
          assert.deepEqual(decode(encoded), [...first, ...second]);
        },
      ),
    );
  });

  it('is unaffected when the caller changes its bytes later', () => {
    const key = Uint8Array.of(1, 2);
    const value = new Uint8Array(100).fill(3);
    const batch = new WriteBatch();
    batch.put('meta', key, value);
    key.fill(9);
    value.fill(9);
    assert.deepEqual(decode(batch.finish()), [['meta', Uint8Array.of(1, 2), new Uint8Array(100).fill(3)]]);
  });

  it('is refused when cut off anywhere but between operations', () => {
    const encoded = encode([
      ['meta', Uint8Array.of(1, 2, 3), Uint8Array.of(4, 5)],
      ['state', Uint8Array.of(6), undefined],
    ]).finish();
    const whole = new Set([0, 8 + 3 + 2, encoded.length]);
    for (let length = 0; length <= encoded.length; length++) {
      const cut = encoded.subarray(0, length);
      if (whole.has(length)) assert.equal(countOperations(cut), [...whole].indexOf(length));
      else assert.throws(() => countOperations(cut), { name: 'StoreError', code: 'invalid_batch' });
    }
  });

  it('is refused for an unknown operation, an unknown column, an empty key and a delete with a value', () => {
    const sound = [1, 0, 1, 0, 1, 0, 0, 0, 7, 8];
    assert.equal(countOperations(Uint8Array.from(sound)), 1);
    for (const [at, byte, why] of [
      [0, 2, /expected operation 0 or 1, got 2/],
      [1, COLUMNS.length, /expected a column below/],
      [2, 0, /its key is empty/],
      [0, 0, /a delete carries 1 bytes/],
      [7, 255, /are left/],
    ] as const) {
      const unsound = Uint8Array.from(sound);
      unsound[at] = byte;
      assert.throws(() => forEachOperation(unsound, { put: assert.fail, delete: assert.fail }), why);
      assert.throws(() => new WriteBatch().append(unsound), { code: 'invalid_batch' });
    }
  });

  it('refuses keys it cannot hold and names the limits', () => {
    const batch = new WriteBatch();
    assert.throws(() => batch.put('meta', new Uint8Array(0), new Uint8Array(1)), /1 to 65535 bytes/);
    assert.throws(() => batch.delete('meta', new Uint8Array(65_536)), { code: 'invalid_batch' });
    batch.put('meta', new Uint8Array(65_535), new Uint8Array(1));
    assert.equal(batch.count, 1);
  });

  it('accepts nothing after it was finished', () => {
    const batch = encode([['meta', Uint8Array.of(1), undefined]]);
    batch.finish();
    assert.throws(() => batch.put('meta', Uint8Array.of(1), Uint8Array.of(1)), { code: 'invalid_batch' });
    assert.throws(() => batch.finish(), { code: 'invalid_batch' });
  });
});
