import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ledger } from '../../../src/ledger/codecs.js';
import { checkChunk } from '../../../src/proofs/snapshot/check-chunk.js';
import { chunkHash } from '../../../src/proofs/snapshot/chunk-hash.js';
import { type CutChunk, cutState, summarizeChunks } from '../../../src/proofs/snapshot/cut.js';
import { rootOfSubtreeProof, subtreeRoot } from '../../../src/proofs/snapshot/subtree.js';
import { stateRoot as naiveStateRoot } from '../../outside/trees.js';
import { hex } from '../../support/hex.js';
import { randomSource } from '../../support/random-source.js';
import { sweep } from '../../support/sweep.js';
import { HASHES, ModelState, randomState } from './snapshot-model.js';

const MIB = 1_048_576;

const bit = (key: Uint8Array, depth: number) => ((key[depth >> 3] ?? 0) >> (7 - (depth & 7))) & 1;

interface NaiveEntry {
  readonly key: Uint8Array;
  readonly weight: number;
}

/** The cut by its definition: weigh a subtree, halve it. */
function naiveCut(entries: readonly NaiveEntry[], path: string): string[] {
  if (entries.length === 0) return path === '' ? [''] : [];
  const weight = entries.reduce((sum, entry) => sum + entry.weight, 0);
  if (weight <= MIB || entries.length === 1) return [path];
  const left = entries.filter(({ key }) => bit(key, path.length) === 0);
  const right = entries.filter(({ key }) => bit(key, path.length) === 1);
  return [...naiveCut(left, `${path}0`), ...naiveCut(right, `${path}1`)];
}

/** Weights by the definition: a blob counts with the first genuine record that names it. */
function naiveWeights(state: ModelState, contractKeys: ReadonlySet<string>): NaiveEntry[] {
  const seen = new Set<string>();
  return state.entries.map(([key, value]) => {
    let weight = 32 + value.length;
    if (contractKeys.has(hex(key))) {
      const { contract } = ledger.AccountRecord.decode(value);
      const pending = contract?.pending_upgrade;
      for (const hash of [contract?.code_hash, contract?.idl_hash, pending?.code_hash, pending?.idl_hash]) {
        if (hash === undefined || seen.has(hex(hash))) continue;
        seen.add(hex(hash));
        weight += state.blobOf(hash)?.length ?? 0;
      }
    }
    return { key, weight };
  });
}

const pathOf = ({ prefix, depth }: Pick<CutChunk, 'prefix' | 'depth'>) =>
  Array.from({ length: depth }, (_, at) => bit(prefix, at)).join('');

function contractKeys(state: ModelState): Set<string> {
  const keys = new Set<string>();
  for (const [, value] of state.entries) {
    if (value.length < 100 || value.length > 400) continue;
    let deployer: Uint8Array | undefined;
    try {
      deployer = ledger.AccountRecord.decode(value).contract?.deployer;
    } catch {
      continue;
    }
    if (deployer === undefined) continue;
    for (let i = 0n; i < 200n; i++) {
      const address = ModelState.contractAddress(deployer, i);
      keys.add(hex(HASHES.sha256(Buffer.concat([Uint8Array.of(0), address]))));
    }
  }
  return keys;
}

describe('cutting a state', () => {
  test('yields the chunks of the definition: weighing and halving from the root', () => {
    for (const [seed, size] of [
      { accounts: 0, slots: 0, contracts: 0, codeBytes: 0 },
      { accounts: 1, slots: 0, contracts: 0, codeBytes: 0 },
      { accounts: 300, slots: 20, contracts: 12, codeBytes: 1_000 },
      { accounts: 2_000, slots: 1_500, contracts: 100, codeBytes: 200_000 },
      { accounts: 10, slots: 2, contracts: 4, codeBytes: 900_000 },
      { accounts: 0, slots: 0, contracts: 3, codeBytes: 1_400_000 },
    ].entries()) {
      const state = randomState(randomSource(seed), size);
      const chunks = [...cutState(state.sources())];
      assert.deepEqual(
        chunks.map(pathOf),
        naiveCut(naiveWeights(state, contractKeys(state)), ''),
        `state ${seed}`,
      );
      const leaves = chunks.flatMap(({ entries }) => entries);
      assert.deepEqual(
        leaves.map(({ key }) => hex(key)),
        state.entries.map(([key]) => hex(key)),
      );
      const root = naiveStateRoot(leaves);
      const cut = summarizeChunks(
        HASHES,
        chunks.map((chunk) => ({
          ...chunk,
          entries: chunk.entries.length,
          blobs: chunk.blobs.map(({ name }) => name),
        })),
      );
      assert.equal(hex(cut.stateRoot), hex(root));
      for (const [index, { proof, hash }] of cut.chunks.entries()) {
        const chunk = chunks[index];
        assert.ok(chunk !== undefined);
        assert.equal(hex(rootOfSubtreeProof(HASHES, proof, chunk.root) ?? new Uint8Array(0)), hex(root));
        const checked = checkChunk(
          HASHES,
          { proof, entries: chunk.entries, blobs: chunk.blobs.map(({ bytes }) => bytes) },
          root,
        );
        assert.ok('place' in checked, JSON.stringify(checked));
        assert.equal(hex(checked.hash), hex(hash));
        assert.equal(checked.bytes, chunk.bytes);
      }
    }
  });

  test('includes each blob once, with the first record in key order', () => {
    const state = randomState(randomSource(9), {
      accounts: 100,
      slots: 900,
      contracts: 90,
      codeBytes: 150_000,
    });
    const brought = [...cutState(state.sources())].flatMap(({ blobs }) =>
      blobs.map(({ name }) => hex(name.hash)),
    );
    assert.ok(brought.length > 20);
    assert.equal(new Set(brought).size, brought.length);
  });

  test('hashes the Borsh encoding of prefix, depth, entries and blobs', () => {
    const chunk = {
      prefix: new Uint8Array(32).fill(0x80, 0, 1),
      depth: 1,
      entries: [{ key: new Uint8Array(32).fill(0xff), value: Uint8Array.of(1, 2, 3) }],
      blobs: [Uint8Array.of(9)],
    };
    const borsh = `80${'00'.repeat(31)}0100 01000000${'ff'.repeat(32)}03000000010203 010000000100000009`;
    assert.equal(
      hex(chunkHash(HASHES, chunk)),
      hex(HASHES.sha256(Buffer.from(borsh.replaceAll(' ', ''), 'hex'))),
    );
  });
});

describe('the root of a subtree', () => {
  test('matches the definition, at every depth that its keys share', () => {
    const random = randomSource(3);
    for (let round = 0; round < sweep(20); round++) {
      const shared = random.below(20);
      const prefix = random.bytes(3);
      const entries = Array.from({ length: random.below(12) }, () => {
        const key = random.bytes(32);
        // Few free bits after the shared ones, to make long common paths likely.
        for (let at = 0; at < shared; at++) {
          const mask = 0x80 >> (at & 7);
          key[at >> 3] = ((key[at >> 3] ?? 0) & ~mask) | ((prefix[at >> 3] ?? 0) & mask);
        }
        return { key, value: random.bytes(random.below(40)) };
      })
        .filter(({ key }, place, all) => all.findIndex((other) => hex(other.key) === hex(key)) === place)
        .sort((a, b) => Buffer.compare(a.key, b.key));
      assert.equal(hex(subtreeRoot(HASHES, entries, 0)), hex(naiveStateRoot(entries)));
    }
  });
});
