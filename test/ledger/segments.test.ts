import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeSegments, SEGMENT_ITEMS, segmentItem, segmentItems } from '../../src/ledger/segments.js';

const items = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 3 * SEGMENT_ITEMS });

test('items come back from their segments, all together and one by one', () => {
  fc.assert(
    fc.property(items, (list) => {
      const segments = encodeSegments(list);
      assert.equal(segments.length, Math.ceil(list.length / SEGMENT_ITEMS));
      const plain = (bytes: Uint8Array | undefined) => (bytes === undefined ? undefined : [...bytes]);
      assert.deepEqual(segments.flatMap(segmentItems).map(plain), list.map(plain));
      list.forEach((item, index) => {
        const segment = segments[Math.floor(index / SEGMENT_ITEMS)];
        assert.ok(segment !== undefined);
        assert.deepEqual(plain(segmentItem(segment, index % SEGMENT_ITEMS)), plain(item));
      });
    }),
  );
});

test('there is nothing behind the last item of a segment', () => {
  const [segment] = encodeSegments([Uint8Array.of(1), Uint8Array.of(2)]);
  assert.ok(segment !== undefined);
  assert.equal(segmentItem(segment, 2), undefined);
});
