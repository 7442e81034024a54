import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { packageRoot } from '../../src/config/package-info.js';
import type { Crypto } from '../../src/crypto/crypto.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import {
  leafPosition,
  Mmr,
  type MmrInclusionProof,
  mmrLeaves,
  mmrSize,
  peakPositions,
  positionHeight,
  proveMmrInclusion,
  verifyMmrInclusion,
} from '../../src/proofs/mmr.js';
import { hex } from '../support/hex.js';
import { sweep } from '../support/sweep.js';

const VECTORS = join(packageRoot(), 'test/vectors/mmr39.json');

interface Mmr39 {
  readonly leaves: readonly string[];
  readonly nodes: readonly string[];
  readonly peaks_by_last_node_index: Readonly<Record<string, readonly number[]>>;
}

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));
const leafOf = (index: number) => {
  const be64 = Buffer.alloc(8);
  be64.writeBigUInt64BE(BigInt(index));
  return Uint8Array.from(createHash('sha256').update(be64).digest());
};

/** Proofs that differ from a true one in one respect each, with a label. */
function changedProofs(proof: MmrInclusionProof, seed: number): (readonly [string, MmrInclusionProof])[] {
  const { leafIndex, leaves, path, peaks } = proof;
  const flip = (hash: Uint8Array) => {
    const flipped = Uint8Array.from(hash);
    flipped[(seed >> 3) % 32] = (flipped[(seed >> 3) % 32] ?? 0) ^ (1 << (seed & 7));
    return flipped;
  };
  const changed: (readonly [string, MmrInclusionProof])[] = [
    ['another leaf', { ...proof, leafIndex: leafIndex ^ 1n }],
    ['one leaf fewer', { ...proof, leaves: leaves - 1n }],
    ['one leaf more', { ...proof, leaves: leaves + 1n }],
    ['a longer path', { ...proof, path: [...path, leafOf(seed)] }],
    ['one peak more', { ...proof, peaks: [...peaks, leafOf(seed)] }],
  ];
  for (const part of ['path', 'peaks'] as const) {
    const hashes = proof[part];
    for (const [index, hash] of hashes.entries()) {
      changed.push(
        [`a bit of ${part} ${index}`, { ...proof, [part]: hashes.with(index, flip(hash)) }],
        [`${part} without ${index}`, { ...proof, [part]: hashes.toSpliced(index, 1) }],
        [`${part} ${index} shortened`, { ...proof, [part]: hashes.with(index, hash.slice(1)) }],
      );
      const next = hashes[index + 1];
      if (next === undefined) continue;
      const swapped = hashes.with(index, next).with(index + 1, hash);
      changed.push([`${part} ${index} and ${index + 1} swapped`, { ...proof, [part]: swapped }]);
    }
  }
  return changed;
}

describe('history MMR', () => {
  let crypto: Crypto;
  before(async () => {
    crypto = await loadCrypto('auto');
  });

  /** A range over n leaves with all its nodes. */
  function grow(count: number, leaf: (index: number) => Uint8Array = leafOf) {
    const stored: Uint8Array[] = [];
    const nodes = (positions: readonly bigint[]) =>
      positions.map((position) => stored[Number(position)] ?? assert.fail(`no node ${position}`));
    const mmr = Mmr.empty(crypto);
    for (let i = 0; i < count; i++) {
      for (const { position, hash } of mmr.append(leaf(i))) {
        assert.equal(position, BigInt(stored.length));
        stored.push(hash);
      }
    }
    return { mmr, stored, nodes };
  }

  test('the range of 39 nodes has the nodes and peaks published in the draft', () => {
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

  test('the root of the empty range depends on its size only', () => {
    const { mmr } = grow(0);
    assert.equal(hex(mmr.root()), createHash('sha256').update(Buffer.alloc(8)).digest('hex'));
    assert.equal(mmr.size, 0n);
  });

  test('three leaves have the root computed by hand', () => {
    const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
    const be64 = (value: number) => Buffer.from(value.toString(16).padStart(16, '0'), 'hex');
    const [a, b, c] = [leafOf(0), leafOf(1), leafOf(2)];
    const inner = sha256(be64(3), a, b);
    const { mmr } = grow(3);
    assert.equal(mmr.size, 4n);
    assert.equal(hex(mmr.root()), hex(sha256(be64(4), inner, c)));
  });

  test('a range opened from its stored nodes continues as if never closed', () => {
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

  test('every leaf is proved in the range of every later size, and in no other', () => {
    const { nodes } = grow(64);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64 }), fc.nat(), (leaves, pick) => {
        const index = pick % leaves;
        const { mmr } = grow(leaves);
        const root = mmr.root();
        const proof = proveMmrInclusion(nodes, { leaves: BigInt(leaves), leafIndex: BigInt(index) });
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
      { numRuns: sweep(15) },
    );
  });

  test('ranges of 1 to 2,000 leaves: proofs verify, and changed ones do not', () => {
    const { nodes } = grow(2000);
    const mmr = Mmr.empty(crypto);
    for (let leaves = 1; leaves <= 2000; leaves++) {
      mmr.append(leafOf(leaves - 1));
      const root = mmr.root();
      assert.equal(mmrLeaves(mmrSize(BigInt(leaves))), BigInt(leaves));
      // The first leaf, the last one, and two that vary, so that all sizes together have every shape of path.
      const varying = [1_009, 2_003].map((prime) => ((leaves * 7_919) % prime) % leaves);
      for (const index of new Set([0, leaves - 1, ...varying])) {
        const leaf = leafOf(index);
        const proof = proveMmrInclusion(nodes, { leaves: BigInt(leaves), leafIndex: BigInt(index) });
        assert.equal(verifyMmrInclusion(crypto, proof, leaf, root), true, `leaf ${index} of ${leaves}`);
        if (leaves % 13 !== index % 13) continue;
        for (const [name, changed] of changedProofs(proof, leaves + index)) {
          assert.equal(
            verifyMmrInclusion(crypto, changed, leaf, root),
            false,
            `${name} of ${index} of ${leaves}`,
          );
        }
      }
    }
  });

  test('every leaf of every small range is proved, and every change of a proof is detected', () => {
    const { nodes } = grow(40);
    const mmr = Mmr.empty(crypto);
    for (let leaves = 1; leaves <= 40; leaves++) {
      mmr.append(leafOf(leaves - 1));
      for (let index = 0; index < leaves; index++) {
        const proof = proveMmrInclusion(nodes, { leaves: BigInt(leaves), leafIndex: BigInt(index) });
        assert.equal(verifyMmrInclusion(crypto, proof, leafOf(index), mmr.root()), true);
        for (const [name, changed] of changedProofs(proof, leaves * 40 + index)) {
          assert.equal(verifyMmrInclusion(crypto, changed, leafOf(index), mmr.root()), false, name);
        }
      }
    }
  });

  test('invalid numbers of nodes are distinguished from valid ones', () => {
    const sizes = new Map(
      Array.from({ length: 300 }, (_, leaves) => [mmrSize(BigInt(leaves)), BigInt(leaves)]),
    );
    for (let size = 0n; size < 500n; size++) assert.equal(mmrLeaves(size), sizes.get(size), `size ${size}`);
    assert.equal(mmrLeaves((1n << 64n) - 1n), 1n << 63n);
  });

  test('a leaf beyond the range is reported', () => {
    const { nodes } = grow(4);
    assert.throws(() => proveMmrInclusion(nodes, { leaves: 4n, leafIndex: 4n }), { code: 'out_of_range' });
  });

  test('heights of positions follow the pattern of the range', () => {
    const heights = Array.from({ length: 31 }, (_, i) => positionHeight(BigInt(i))).join('');
    assert.equal(heights, '0010012001001230010012001001234');
  });
});
