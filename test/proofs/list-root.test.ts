import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Crypto } from '../../src/crypto/crypto.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import { listLeaves, listPath, listRoot, verifyListPath } from '../../src/proofs/list-root.js';
import { sweep } from '../support/sweep.js';

const sha256 = (...parts: readonly Uint8Array[]) =>
  Uint8Array.from(createHash('sha256').update(Buffer.concat(parts)).digest());

/** The definition, taken literally: recursive, one hash at a time. */
function naiveRoot(items: readonly Uint8Array[]): Uint8Array {
  const leaves = items.map((item) => sha256(item));
  while (leaves.length & (leaves.length - 1)) leaves.push(new Uint8Array(32));
  const tree = (nodes: readonly Uint8Array[]): Uint8Array => {
    if (nodes.length <= 1) return nodes[0] ?? new Uint8Array(32);
    const half = nodes.length / 2;
    return sha256(tree(nodes.slice(0, half)), tree(nodes.slice(half)));
  };
  const length = new Uint8Array(32);
  new DataView(length.buffer).setUint32(0, items.length, true);
  return sha256(tree(leaves), length);
}

const lists = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 70 });

describe('list roots', () => {
  let sets: readonly Crypto[] = [];
  before(async () => {
    sets = [await loadCrypto('require'), await loadCrypto('off')];
  });

  test('the empty list, a list of one and a list of three have roots computed by hand', () => {
    const [a, b, c] = [Uint8Array.of(1), Uint8Array.of(2), Uint8Array.of(3)];
    const length = (n: number) => Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? n : 0));
    const zero = new Uint8Array(32);
    for (const crypto of sets) {
      assert.deepEqual(listRoot(crypto, []), sha256(zero, zero));
      assert.deepEqual(listRoot(crypto, [a]), sha256(sha256(a), length(1)));
      assert.deepEqual(
        listRoot(crypto, [a, b, c]),
        sha256(sha256(sha256(sha256(a), sha256(b)), sha256(sha256(c), zero)), length(3)),
      );
    }
  });

  test('any list has the root of the definition', () => {
    fc.assert(
      fc.property(lists, (items) => {
        for (const crypto of sets) assert.deepEqual(listRoot(crypto, items), naiveRoot(items));
      }),
      { numRuns: sweep(10) },
    );
  });

  test('every item has a path that verifies, and no other index or leaf does', () => {
    const [crypto] = sets;
    assert.ok(crypto !== undefined);
    fc.assert(
      fc.property(lists, fc.nat(), (items, pick) => {
        fc.pre(items.length > 0);
        const index = pick % items.length;
        const length = items.length;
        const leaves = listLeaves(crypto, items);
        const path = listPath(crypto, leaves, length, index);
        const root = listRoot(crypto, items);
        const leaf = leaves.slice(index * 32, index * 32 + 32);
        const proof = { root, length, index, leaf, path };
        assert.equal(verifyListPath(crypto, proof), true);
        assert.equal(verifyListPath(crypto, { ...proof, leaf: sha256(leaf) }), false);
        assert.equal(verifyListPath(crypto, { ...proof, root: leaf }), false);
        assert.equal(verifyListPath(crypto, { ...proof, length: length + 1 }), false);
        assert.equal(verifyListPath(crypto, { ...proof, path: [...path, leaf] }), false);
        assert.equal(verifyListPath(crypto, { ...proof, path: path.slice(1) }), path.length === 0);
        assert.equal(verifyListPath(crypto, { ...proof, index: length }), false);
        assert.equal(verifyListPath(crypto, { ...proof, index: index + 0.5 }), false);
      }),
      { numRuns: sweep(10) },
    );
  });

  test('an index outside the list is reported', () => {
    const [crypto] = sets;
    assert.ok(crypto !== undefined);
    assert.throws(() => listPath(crypto, new Uint8Array(64), 2, 2), { code: 'out_of_range' });
    assert.throws(() => listPath(crypto, new Uint8Array(64), 3, 0), { code: 'invalid_input' });
  });
});
