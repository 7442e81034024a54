import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { packageRoot } from '../../src/config/package-info.js';
import type { Crypto } from '../../src/crypto/crypto.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import {
  leafPosition,
  Mmr,
  mmrSize,
  peakPositions,
  positionHeight,
  proveMmrInclusion,
  verifyMmrInclusion,
} from '../../src/proofs/mmr.js';

const VECTORS = join(packageRoot(), '../shared/vectors/mmr/mmr39.json');

interface Mmr39 {
  readonly leaves: readonly string[];
  readonly nodes: readonly string[];
  readonly peaks_by_last_node_index: Readonly<Record<string, readonly number[]>>;
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));
const leafOf = (index: number) => {
  const be64 = Buffer.alloc(8);
  be64.writeBigUInt64BE(BigInt(index));
  return Uint8Array.from(createHash('sha256').update(be64).digest());
};

describe('history MMR', () => {
  let crypto: Crypto;
  before(async () => {
    crypto = await loadCrypto('auto');
  });

  /** A range over n leaves with all its nodes. */
  function grow(count: number, leaf: (index: number) => Uint8Array = leafOf) {
    const stored: Uint8Array[] = [];
    const nodes = (position: bigint) => stored[Number(position)] ?? assert.fail(`no node ${position}`);
    const mmr = Mmr.open(crypto, 0n, nodes);
    for (let i = 0; i < count; i++) {
      for (const { position, hash } of mmr.append(leaf(i))) {
        assert.equal(position, BigInt(stored.length));
        stored.push(hash);
      }
    }
    return { mmr, stored, nodes };
  }

  test('the range of 39 nodes has the nodes and peaks that the draft publishes', {
    skip: existsSync(VECTORS) ? false : `no vectors at ${VECTORS}`,
  }, () => {
    const vectors = JSON.parse(readFileSync(VECTORS, 'utf8')) as Mmr39;
    const { stored } = grow(vectors.leaves.length, (index) => bytes(vectors.leaves[index] ?? assert.fail()));
    assert.deepEqual(stored.map(hex), vectors.nodes);
    for (const [index, leaf] of vectors.leaves.entries()) {
      assert.equal(vectors.nodes[Number(leafPosition(BigInt(index)))], leaf);
    }
    let checked = 0;
    for (let leaves = 1; leaves <= vectors.leaves.length; leaves++) {
      const last = mmrSize(BigInt(leaves)) - 1n;
      const expected = vectors.peaks_by_last_node_index[String(last)];
      assert.deepEqual(peakPositions(BigInt(leaves)).map(Number), expected, `peaks of ${leaves} leaves`);
      checked++;
    }
    assert.equal(checked, Object.keys(vectors.peaks_by_last_node_index).length);
  });

  test('the empty range has the root of its size alone', () => {
    const { mmr } = grow(0);
    assert.equal(hex(mmr.root()), createHash('sha256').update(Buffer.alloc(8)).digest('hex'));
    assert.equal(mmr.size, 0n);
  });

  test('three leaves have the root worked out by hand', () => {
    const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
    const be64 = (value: number) => Buffer.from(value.toString(16).padStart(16, '0'), 'hex');
    const [a, b, c] = [leafOf(0), leafOf(1), leafOf(2)];
    const inner = sha256(be64(3), a, b);
    const { mmr } = grow(3);
    assert.equal(mmr.size, 4n);
    assert.equal(hex(mmr.root()), hex(sha256(be64(4), inner, c)));
  });

  test('a range opened from its stored nodes goes on as if it had never closed', () => {
    fc.assert(
      fc.property(fc.nat({ max: 200 }), fc.nat({ max: 40 }), (first, more) => {
        const { nodes } = grow(first);
        const reopened = Mmr.open(crypto, BigInt(first), nodes);
        for (let i = first; i < first + more; i++) reopened.append(leafOf(i));
        const { mmr } = grow(first + more);
        assert.equal(hex(reopened.root()), hex(mmr.root()));
        assert.equal(reopened.size, mmr.size);
      }),
      { numRuns: 40 },
    );
  });

  test('every leaf is proved in the range of every later size, and nothing else is', () => {
    const { nodes } = grow(64);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64 }), fc.nat(), (leaves, pick) => {
        const index = pick % leaves;
        const { mmr } = grow(leaves);
        const root = mmr.root();
        const proof = proveMmrInclusion(nodes, BigInt(leaves), BigInt(index));
        assert.equal(verifyMmrInclusion(crypto, proof, leafOf(index), root), true);
        assert.equal(verifyMmrInclusion(crypto, proof, leafOf(index + 1), root), false);
        assert.equal(verifyMmrInclusion(crypto, proof, leafOf(index), leafOf(index)), false);
        const other = { ...proof, leafIndex: BigInt(index) ^ 1n };
        assert.equal(verifyMmrInclusion(crypto, other, leafOf(index), root), false);
        const bigger = { ...proof, leaves: BigInt(leaves + 1) };
        assert.equal(verifyMmrInclusion(crypto, bigger, leafOf(index), root), false);
        const longer = { ...proof, path: [...proof.path, root] };
        assert.equal(verifyMmrInclusion(crypto, longer, leafOf(index), root), false);
        const fewer = { ...proof, peaks: proof.peaks.slice(1) };
        assert.equal(verifyMmrInclusion(crypto, fewer, leafOf(index), root), false);
      }),
      { numRuns: 150 },
    );
  });

  test('a leaf beyond the range is named', () => {
    const { nodes } = grow(4);
    assert.throws(() => proveMmrInclusion(nodes, 4n, 4n), { code: 'out_of_range' });
  });

  test('heights of positions follow the pattern of the range', () => {
    const heights = Array.from({ length: 31 }, (_, i) => positionHeight(BigInt(i))).join('');
    assert.equal(heights, '0010012001001230010012001001234');
  });
});
