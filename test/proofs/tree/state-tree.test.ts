import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Crypto } from '../../../src/crypto/crypto.js';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import type { TreeChange } from '../../../src/proofs/tree/sorted-changes.js';
import { StateTree } from '../../../src/proofs/tree/state-tree.js';
import { WriteBatch } from '../../../src/storage/write-batch.js';
import { hex } from '../../support/hex.js';
import { sweep } from '../../support/sweep.js';
import { FakeStore, type Model, naiveRoot } from './tree-model.js';

/** A key as a hash function would give; `group` makes keys that share their first `shared` bits. */
function keyOf(index: number, shared = 0): Uint8Array {
  const key = Uint8Array.from(createHash('sha256').update(`key ${index}`).digest());
  for (let bit = 0; bit < shared; bit++) key[bit >> 3] = (key[bit >> 3] ?? 0) & ~(0x80 >> (bit & 7));
  return key;
}

const valueFor = (index: number, version: number) => new TextEncoder().encode(`value ${index}.${version}`);

/** A batch of changes: which keys, and whether each is set (to some version) or deleted. */
const batches = fc.array(
  fc.array(
    fc.record({
      index: fc.nat({ max: 400 }),
      shared: fc.constantFrom(0, 0, 0, 5, 6, 7, 30, 130, 248),
      version: fc.option(fc.nat({ max: 3 }), { nil: undefined, freq: 3 }),
    }),
    { maxLength: 150 },
  ),
  { maxLength: 8 },
);

type Batch = readonly { index: number; shared: number; version: number | undefined }[];

function changesOf(batch: Batch): TreeChange[] {
  const byKey = new Map<string, TreeChange>();
  for (const { index, shared, version } of batch) {
    const key = keyOf(index, shared);
    byKey.set(hex(key), { key, value: version === undefined ? undefined : valueFor(index, version) });
  }
  return [...byKey.values()];
}

function applyToModel(model: Model, changes: readonly TreeChange[]): void {
  for (const { key, value } of changes) {
    if (value === undefined) model.delete(hex(key));
    else model.set(hex(key), value);
  }
}

describe('state tree', () => {
  let sets: readonly Crypto[] = [];
  let crypto: Crypto;
  before(async () => {
    crypto = await loadCrypto('auto');
    sets = [crypto, await loadCrypto('off')];
  });

  function emptyTree(cacheBytes = 1 << 20, using = crypto) {
    const store = new FakeStore();
    return { store, tree: StateTree.empty({ crypto: using, store, cacheBytes }) };
  }

  function store(tree: StateTree, into: FakeStore): void {
    const batch = new WriteBatch();
    const flush = tree.flush(1n);
    batch.adopt(flush.finish());
    into.apply(batch.finish());
    tree.cache.confirm(flush.number);
  }

  test('no keys, one key and two keys have roots computed by hand', () => {
    const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
    const low = new Uint8Array(32);
    const high = new Uint8Array(32).fill(0xff);
    const next = Uint8Array.from(low);
    next[0] = 0x20;
    const [a, b, c] = ['a', 'b', 'c'].map((text) => new TextEncoder().encode(text));
    assert.ok(a !== undefined && b !== undefined && c !== undefined);
    const leaf = (key: Uint8Array, value: Uint8Array) => sha256(Buffer.of(0), key, sha256(value));
    const { tree } = emptyTree();
    assert.equal(hex(tree.root()), '00'.repeat(32));
    tree.apply([{ key: low, value: a }]);
    assert.equal(hex(tree.root()), hex(leaf(low, a)));
    tree.apply([{ key: high, value: b }]);
    assert.equal(hex(tree.root()), hex(sha256(leaf(low, a), leaf(high, b))));
    tree.apply([
      { key: next, value: c },
      { key: high, value: undefined },
    ]);
    const zero = Buffer.alloc(32);
    const pair = sha256(leaf(low, a), leaf(next, c));
    assert.equal(hex(tree.root()), hex(sha256(sha256(pair, zero), zero)));
  });

  test('any batches of insertions, updates and deletions lead to the root of the definition', () => {
    fc.assert(
      fc.property(batches, (run) => {
        for (const using of sets) {
          const { tree } = emptyTree(1 << 20, using);
          const model: Model = new Map();
          for (const batch of run) {
            const changes = changesOf(batch);
            tree.apply(changes);
            applyToModel(model, changes);
            assert.equal(hex(tree.root()), naiveRoot(model));
          }
        }
      }),
      { numRuns: sweep(8) },
    );
  });

  test('the order of changes and their split into batches make no difference', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat({ max: 2000 }), { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 1, max: 50 }),
        fc.nat(),
        (indices, portion, seed) => {
          const whole = emptyTree().tree;
          const changes = indices.map((index) => ({ key: keyOf(index), value: valueFor(index, 0) }));
          whole.apply(changes);
          const shuffled = changes
            .map((change, i) => ({ change, at: (i * 7919 + seed) % 1009 }))
            .sort((a, b) => a.at - b.at)
            .map(({ change }) => change);
          const cut = emptyTree().tree;
          for (let i = 0; i < shuffled.length; i += portion) cut.apply(shuffled.slice(i, i + portion));
          assert.equal(hex(cut.root()), hex(whole.root()));
        },
      ),
      { numRuns: sweep(8) },
    );
  });

  test('a tree reopened from the store after any batch continues with the same roots', () => {
    fc.assert(
      fc.property(batches, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), (run, reopen) => {
        let { tree, store: pages } = emptyTree(0);
        const model: Model = new Map();
        let unstored: TreeChange[][] = [];
        for (const [index, batch] of run.entries()) {
          const changes = changesOf(batch);
          tree.apply(changes);
          applyToModel(model, changes);
          unstored.push(changes);
          if (index % 2 === 0) {
            store(tree, pages);
            unstored = [];
          }
          if (reopen[index]) {
            // As after a crash: unstored changes are gone and are applied again.
            tree = StateTree.open({ crypto, store: pages, cacheBytes: 0 });
            for (const lost of unstored) tree.apply(lost);
          }
          assert.equal(hex(tree.root()), naiveRoot(model));
        }
      }),
      { numRuns: sweep(10) },
    );
  });

  test('a tree of thousands of keys whose pages are dropped and read back has the root of the definition', () => {
    const { tree, store: pages } = emptyTree(100_000);
    const model: Model = new Map();
    let largest = 0;
    for (let round = 0; round < 20; round++) {
      const changes = Array.from({ length: 500 }, (_, i) => {
        const index = (round * 400 + i * 13) % 6000;
        return { key: keyOf(index), value: (i + round) % 7 === 0 ? undefined : valueFor(index, round) };
      });
      tree.apply(changes);
      applyToModel(model, changes);
      store(tree, pages);
      largest = Math.max(largest, tree.cache.bytes);
    }
    assert.equal(hex(tree.root()), naiveRoot(model));
    assert.ok(pages.reads > 1000, `${pages.reads} pages read back`);
    // The bound covers the cache limit, the upper pages and the changes of one round.
    assert.ok(largest < 1_000_000, `${largest} bytes in memory`);
    assert.equal(hex(StateTree.open({ crypto, store: pages, cacheBytes: 0 }).root()), hex(tree.root()));
  });

  test('keys that share all but their last bits are distinguished', () => {
    const { tree, store: pages } = emptyTree(0);
    const model: Model = new Map();
    const batch = Array.from({ length: 600 }, (_, index) => ({ index, shared: 248, version: 0 }));
    for (const changes of [
      changesOf(batch),
      changesOf([...batch.slice(100)].map((c) => ({ ...c, version: 1 }))),
    ]) {
      tree.apply(changes);
      applyToModel(model, changes);
      store(tree, pages);
      assert.equal(hex(tree.root()), naiveRoot(model));
    }
    assert.ok(model.size > 200);
    const reopened = StateTree.open({ crypto, store: pages, cacheBytes: 0 });
    reopened.apply(changesOf([{ index: 3, shared: 248, version: undefined }]));
    applyToModel(model, changesOf([{ index: 3, shared: 248, version: undefined }]));
    assert.equal(hex(reopened.root()), naiveRoot(model));
  });

  test('pages that are returned but not confirmed are never read back', () => {
    const { tree, store: pages } = emptyTree(0);
    const model: Model = new Map();
    const change = (from: number, version: number) => {
      const changes = Array.from({ length: 200 }, (_, i) => ({
        key: keyOf(from + i),
        value: valueFor(from + i, version),
      }));
      tree.apply(changes);
      applyToModel(model, changes);
      assert.equal(hex(tree.root()), naiveRoot(model));
    };
    change(0, 0);
    store(tree, pages);
    change(0, 1);
    const late = new WriteBatch();
    const flush = tree.flush(1n);
    late.adopt(flush.finish());
    change(100, 2);
    change(0, 3);
    pages.apply(late.finish());
    tree.cache.confirm(flush.number);
    change(50, 4);
    change(150, 5);
  });

  test('a tree that becomes empty leaves only its root page in the store', () => {
    const { tree, store: pages } = emptyTree();
    const keys = Array.from({ length: 3000 }, (_, i) => keyOf(i));
    tree.apply(keys.map((key) => ({ key, value: key })));
    store(tree, pages);
    assert.ok(pages.keys('tree').length > 64);
    tree.apply(keys.map((key) => ({ key, value: undefined })));
    store(tree, pages);
    assert.equal(hex(tree.root()), '00'.repeat(32));
    assert.deepEqual(pages.keys('tree'), ['tree/00']);
  });

  test('a block that changes nothing or deletes absent keys keeps the root', () => {
    const { tree } = emptyTree();
    tree.apply([{ key: keyOf(1), value: valueFor(1, 1) }]);
    const root = hex(tree.root());
    tree.apply([]);
    tree.apply([{ key: keyOf(2), value: undefined }]);
    tree.apply([{ key: keyOf(1, 7), value: undefined }]);
    assert.equal(hex(tree.root()), root);
  });

  test('a duplicate key, or one of the wrong length, is named and changes nothing', () => {
    const { tree } = emptyTree();
    tree.apply([{ key: keyOf(1), value: valueFor(1, 1) }]);
    const root = hex(tree.root());
    const key = keyOf(3);
    assert.throws(
      () =>
        tree.apply([
          { key, value: key },
          { key: keyOf(4), value: key },
          { key, value: undefined },
        ]),
      { code: 'invalid_input', message: new RegExp(hex(key)) },
    );
    assert.throws(() => tree.apply([{ key: key.slice(1), value: key }]), {
      code: 'invalid_input',
      message: /32 bytes, got 31/,
    });
    assert.equal(hex(tree.root()), root);
  });

  describe('over a damaged store', () => {
    function storedTree() {
      const { tree, store: pages } = emptyTree();
      tree.apply(Array.from({ length: 5000 }, (_, i) => ({ key: keyOf(i), value: valueFor(i, 0) })));
      store(tree, pages);
      return pages;
    }
    const touchAll = (pages: FakeStore) => {
      const tree = StateTree.open({ crypto, store: pages, cacheBytes: 0 });
      tree.apply(Array.from({ length: 5000 }, (_, i) => ({ key: keyOf(i), value: valueFor(i, 1) })));
    };

    test('a missing page is reported with its path', () => {
      const pages = storedTree();
      pages.entries.delete('tree/000a');
      assert.throws(() => touchAll(pages), { code: 'damaged', message: /page at 10 is missing/ });
      pages.entries.delete('tree/00');
      assert.throws(() => touchAll(pages), { code: 'damaged', message: /root page is missing/ });
    });

    test('an upper page that does not match its hash in the page above is refused', () => {
      const pages = storedTree();
      const page = pages.entries.get('tree/000a') ?? assert.fail();
      page[page.length - 1] = (page[page.length - 1] ?? 0) ^ 1;
      assert.throws(() => touchAll(pages), { code: 'damaged', message: /page at 10 does not have the hash/ });
    });

    test('a lower page with another leaf is refused', () => {
      const pages = storedTree();
      const [lowest] = pages.keys('tree').filter((key) => key.length === 'tree/00'.length + 4);
      const page = pages.entries.get(lowest ?? assert.fail()) ?? assert.fail();
      page[page.length - 1] = (page[page.length - 1] ?? 0) ^ 1;
      assert.throws(() => touchAll(pages), { code: 'damaged', message: /does not have the hash/ });
    });

    test('bytes that are not a page are refused', () => {
      for (const bytes of [[], [0], [0, 1, 2], [1], [7, 7], new Array<number>(17).fill(1)]) {
        const pages = storedTree();
        pages.entries.set('tree/000a', Uint8Array.from(bytes));
        assert.throws(() => touchAll(pages), {
          code: 'damaged',
          message: /malformed|does not have the hash/,
        });
      }
    });
  });
});
