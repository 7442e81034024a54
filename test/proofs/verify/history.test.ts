import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BlockHeader } from '../../../src/generated/ledger.js';
import { rpcTypes } from '../../../src/ledger/rpc-codecs.js';
import { Mmr, proveMmrInclusion } from '../../../src/proofs/mmr.js';
import { verifyBlockInHistory, verifyHistoryRoot } from '../../../src/proofs/verify.js';
import { HistoryMmr } from '../../outside/trees.js';
import { digest, hashOf, headerWith, sha256 } from './proved-world.js';
import { refusal, refusesEveryMutation } from './refusals.js';

const SIZES = 2_000;
const hashes = { sha256: (data: Uint8Array) => sha256(data) };
const stored: Uint8Array[] = [];
const nodes = (positions: readonly bigint[]) =>
  positions.map((position) => stored[Number(position)] ?? assert.fail(`no node ${position}`));
const mmr = Mmr.empty(hashes);
/** Roots and peaks of the ranges of each size, grown by independent code. */
const ranges: { root: Uint8Array; peaks: readonly Uint8Array[]; size: bigint }[] = [];
const outside = new HistoryMmr();
for (let leaf = 0; leaf <= SIZES; leaf++) {
  ranges.push({ root: outside.root(), peaks: outside.peaks, size: outside.size });
  outside.append(digest(leaf));
  for (const { hash } of mmr.append(digest(leaf))) stored.push(hash);
}

function below(height: number): { header: BlockHeader; root: unknown } {
  const { root, peaks, size } = ranges[height] ?? assert.fail();
  const header = headerWith({ height: BigInt(height), history_root: root });
  const history = { root, size, peaks: [...peaks], height: BigInt(height) };
  return {
    header,
    root: JSON.parse(rpcTypes.FinalizedHistoryRootResult.toJson({ history, header, descendants: [] })),
  };
}

/** If the block's hash is trusted, or the block is certified itself, it needs no descendants. */
const isFree = (what: string): boolean => what === 'without $.descendants';

function proof(height: number, leaf: number): unknown {
  const { path, peaks } = proveMmrInclusion(nodes, { leaves: BigInt(height), leafIndex: BigInt(leaf) });
  const { root, size } = ranges[height] ?? assert.fail();
  return JSON.parse(
    rpcTypes.FinalizedHistoryProofResult.toJson({
      leaf_index: BigInt(leaf),
      block_hash: digest(leaf),
      path: [...path],
      peaks: [...peaks],
      size,
      root,
    }),
  );
}

test('the history below every height up to 2,000 is believed, for blocks at its ends and in its middle', () => {
  for (let height = 0; height <= SIZES; height++) {
    const { header, root } = below(height);
    const { block, history } = verifyHistoryRoot(root, { headerHash: hashOf(header) });
    assert.equal(history.size, ranges[height]?.size);
    if (height === 0) continue;
    for (const leaf of new Set([0, height - 1, (height * 7) % height, height >> 1])) {
      assert.deepEqual(verifyBlockInHistory(proof(height, leaf), leaf, block), digest(leaf));
    }
  }
});

test('every block of small histories is proved, and every change of a proof is refused', () => {
  for (let height = 1; height <= 12; height++) {
    const { header } = below(height);
    const block = { header, hash: hashOf(header) };
    for (let leaf = 0; leaf < height; leaf++) {
      const answer = proof(height, leaf);
      assert.deepEqual(verifyBlockInHistory(answer, leaf, block), digest(leaf));
      refusesEveryMutation(answer, (mutated) => verifyBlockInHistory(mutated, leaf, block), { bitStep: 5 });
    }
  }
  for (const [height, leaf] of [
    [1_023, 511],
    [1_024, 0],
    [1_999, 1_998],
  ] as const) {
    const { header } = below(height);
    const block = { header, hash: hashOf(header) };
    const tried = refusesEveryMutation(
      proof(height, leaf),
      (mutated) => verifyBlockInHistory(mutated, leaf, block),
      { bitStep: 16 },
    );
    assert.ok(tried > 200, `${tried}`);
  }
});

test('every change of a history root is refused', () => {
  for (const height of [0, 1, 3, 13, 1_023]) {
    const { header, root } = below(height);
    const trust = { headerHash: hashOf(header) };
    refusesEveryMutation(root, (mutated) => verifyHistoryRoot(mutated, trust), { bitStep: 3, isFree });
  }
});

test('a proof under another size or of another block is refused, even if its own root is right', () => {
  const { header } = below(100);
  const block = { header, hash: hashOf(header) };
  assert.equal(
    refusal('size', () => verifyBlockInHistory(proof(101, 50), 50, block)),
    'wrong_subject',
  );
  assert.equal(
    refusal('leaf', () => verifyBlockInHistory(proof(100, 51), 50, block)),
    'wrong_subject',
  );
});
