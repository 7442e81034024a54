import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CursorError, decodeCursor, encodeCursor } from '../../src/ledger/queries/cursor.js';

const place = fc.record(
  { height: fc.bigInt(0n, 2n ** 64n - 1n), index: fc.nat() },
  { noNullPrototype: true },
);
const filter = fc.uint8Array({ minLength: 20, maxLength: 20 });

test('a cursor decodes to the position it was made from', () => {
  fc.assert(
    fc.property(place, filter, (at, by) => {
      assert.deepEqual(
        decodeCursor('list_txs_by_sender', by, encodeCursor('list_txs_by_sender', by, at)),
        at,
      );
    }),
  );
});

test('a cursor serves only the listing and the filter that issued it', () => {
  const none = new Uint8Array(0);
  const alice = new Uint8Array(20).fill(1);
  const bob = new Uint8Array(20).fill(2);
  const cursor = encodeCursor('list_txs_by_sender', alice, { height: 7n, index: 3 });
  assert.throws(() => decodeCursor('list_txs_by_sender', bob, cursor), CursorError);
  assert.throws(() => decodeCursor('list_txs', none, cursor), CursorError);
  assert.throws(
    () => decodeCursor('list_blocks', none, encodeCursor('list_txs', none, { height: 7n, index: 3 })),
    CursorError,
  );
});

test('text that is not a cursor is refused', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      assert.throws(() => decodeCursor('list_txs', new Uint8Array(0), text), CursorError);
    }),
  );
});
