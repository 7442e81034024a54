import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodePacks, PACK_ITEMS, packItem, packItems } from '../../src/ledger/item-packs.js';

const items = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 3 * PACK_ITEMS });

test('items are restored from their packs, all together and one by one', () => {
  fc.assert(
    fc.property(items, (list) => {
      const packs = encodePacks(list);
      assert.equal(packs.length, Math.ceil(list.length / PACK_ITEMS));
      const plain = (bytes: Uint8Array | undefined) => (bytes === undefined ? undefined : [...bytes]);
      assert.deepEqual(packs.flatMap(packItems).map(plain), list.map(plain));
      list.forEach((item, index) => {
        const pack = packs[Math.floor(index / PACK_ITEMS)];
        assert.ok(pack !== undefined);
        assert.deepEqual(plain(packItem(pack, index % PACK_ITEMS)), plain(item));
      });
    }),
  );
});

test('a pack holds nothing after its last item', () => {
  const [pack] = encodePacks([Uint8Array.of(1), Uint8Array.of(2)]);
  assert.ok(pack !== undefined);
  assert.equal(packItem(pack, 2), undefined);
});
