import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Hashes } from '../../../src/crypto/crypto.js';
import { loadHashes } from '../../../src/crypto/load-hashes.js';
import type { TreeProof } from '../../../src/generated/node-rpc-v1.js';
import { decodeTreeProofs, encodeTreeProofs } from '../../../src/proofs/proof-wire.js';
import { proveKeys } from '../../../src/proofs/tree/key-proofs.js';
import type { TreeChange } from '../../../src/proofs/tree/sorted-changes.js';
import { StateTree } from '../../../src/proofs/tree/state-tree.js';
import { verifyTreeProof } from '../../../src/proofs/verify/tree-proof.js';
import { VerifyError } from '../../../src/proofs/verify/verify-error.js';
import { be64 } from '../../../src/storage/big-endian.js';
import type { StoreReader } from '../../../src/storage/store.js';
import { WriteBatch } from '../../../src/storage/write-batch.js';
import { hex } from '../../support/hex.js';
import { sweep } from '../../support/sweep.js';
import { isProof, mutations, provedValue } from './naive-proofs.js';
import { FakeStore, type Model, naiveRoot } from './tree-model.js';

/** Keys that share their first bits end up in one bucket, or in pages far down. */
function keyOf(index: number, shared: number): Uint8Array {
  const key = Uint8Array.from(createHash('sha256').update(`key ${index}`).digest());
  for (let bit = 0; bit < shared; bit++) key[bit >> 3] = (key[bit >> 3] ?? 0) & ~(0x80 >> (bit & 7));
  return key;
}

const picks = fc.record({
  index: fc.nat({ max: 500 }),
  shared: fc.constantFrom(0, 0, 0, 5, 6, 7, 30, 130, 248),
});
const batches = fc.array(
  fc.array(fc.tuple(picks, fc.option(fc.nat({ max: 3 }), { nil: undefined, freq: 3 })), { maxLength: 120 }),
  { minLength: 1, maxLength: 6 },
);

/** A tree and the state that it represents. */
class TreeWorld {
  readonly store = new FakeStore();
  readonly model: Model = new Map();
  readonly hashes: Hashes;
  tree: StateTree;

  constructor(hashes: Hashes) {
    this.hashes = hashes;
    this.tree = StateTree.empty({ crypto: hashes, store: this.store, cacheBytes: 0 });
  }

  apply(batch: readonly (readonly [{ index: number; shared: number }, number | undefined])[]): void {
    const changes = new Map<string, TreeChange>();
    for (const [{ index, shared }, version] of batch) {
      const key = keyOf(index, shared);
      const value = version === undefined ? undefined : Buffer.from('v'.repeat(version) + index * version);
      changes.set(hex(key), { key, value });
    }
    this.tree.apply([...changes.values()]);
    for (const [name, { value }] of changes) {
      if (value === undefined) this.model.delete(name);
      else this.model.set(name, value);
    }
  }

  /** Stores the pages, so that they are read back on demand. */
  reopen(): void {
    const batch = new WriteBatch();
    batch.adopt(this.tree.flush(1n).finish());
    this.store.apply(batch.finish());
    this.tree = StateTree.open({ crypto: this.hashes, store: this.store, cacheBytes: 0 });
  }

  prove(keys: readonly Uint8Array[]): TreeProof[] {
    const values: StoreReader = {
      get: (_, key) => this.#raw(key),
      getMany: (_, many) => many.map((key) => this.#raw(key)),
      scan: () => [][Symbol.iterator](),
      close: () => Promise.resolve(),
    };
    return decodeTreeProofs(encodeTreeProofs(proveKeys(this.hashes, values, this.tree, 5n, keys)));
  }

  #raw(key: Uint8Array): Uint8Array | undefined {
    const value = this.model.get(hex(key));
    return value === undefined ? undefined : Uint8Array.from([...be64(1n), ...value]);
  }
}

function isVerified(proof: TreeProof, key: Uint8Array, root: Uint8Array): boolean {
  try {
    verifyTreeProof(proof, key, root);
    return true;
  } catch (error) {
    if (error instanceof VerifyError) return false;
    throw error;
  }
}

describe('proofs of keys', () => {
  let sets: readonly Hashes[] = [];
  before(async () => {
    sets = [await loadHashes('auto'), await loadHashes('off')];
  });

  test('after any changes, present keys are proved with their values and all others as absent', () => {
    fc.assert(
      fc.property(batches, fc.array(picks, { maxLength: 30 }), fc.boolean(), (run, others, reopen) => {
        for (const hashes of sets) {
          const world = new TreeWorld(hashes);
          for (const batch of run) world.apply(batch);
          if (reopen) world.reopen();
          const root = Buffer.from(naiveRoot(world.model), 'hex');
          const keys = [
            ...[...world.model.keys()].map((name) => Uint8Array.from(Buffer.from(name, 'hex'))),
            ...others.map(({ index, shared }) => keyOf(index, shared)),
            new Uint8Array(32),
            new Uint8Array(32).fill(255),
          ];
          for (const [index, proof] of world.prove(keys).entries()) {
            const key = keys[index] ?? assert.fail();
            const expected = world.model.get(hex(key));
            const proved = provedValue(proof, key, root);
            assert.deepEqual(proved && hex(proved), expected && hex(expected));
            const verified = verifyTreeProof(proof, key, root);
            assert.deepEqual(verified && hex(verified), expected && hex(expected));
          }
        }
      }),
      { numRuns: sweep(4) },
    );
  });

  test('a proof changed in any respect proves nothing', () => {
    fc.assert(
      fc.property(batches, picks, fc.nat(), (run, other, seed) => {
        const [hashes] = sets;
        const world = new TreeWorld(hashes ?? assert.fail());
        for (const batch of run) world.apply(batch);
        const root = world.tree.root();
        const present = [...world.model.keys()].map((name) => Uint8Array.from(Buffer.from(name, 'hex')));
        const keys = [
          present[seed % Math.max(1, present.length)] ?? keyOf(1, 0),
          keyOf(other.index, other.shared),
        ];
        for (const [index, proof] of world.prove(keys).entries()) {
          const key = keys[index] ?? assert.fail();
          for (const [name, mutated] of mutations(proof, seed)) {
            assert.equal(isProof(mutated, key, root), false, name);
            assert.equal(isVerified(mutated, key, root), false, name);
          }
        }
      }),
      { numRuns: sweep(6) },
    );
  });

  test('a proof proves nothing under the root of another state', () => {
    const [hashes] = sets;
    const world = new TreeWorld(hashes ?? assert.fail());
    world.apply(Array.from({ length: 200 }, (_, index) => [{ index, shared: 0 }, 1] as const));
    const key = keyOf(7, 0);
    const [proof] = world.prove([key]);
    const earlier = world.tree.root();
    assert.ok(proof !== undefined && isProof(proof, key, earlier));
    world.apply([[{ index: 8, shared: 0 }, 2]]);
    assert.equal(isProof(proof, key, world.tree.root()), false);
  });

  test('a value other than the one in the tree is not returned', () => {
    const [hashes] = sets;
    const world = new TreeWorld(hashes ?? assert.fail());
    world.apply([
      [{ index: 1, shared: 0 }, 1],
      [{ index: 2, shared: 0 }, 1],
    ]);
    world.model.set(hex(keyOf(1, 0)), Buffer.from('forged'));
    assert.throws(() => world.prove([keyOf(1, 0)]), {
      code: 'damaged',
      message: /not the one in the state tree/,
    });
    world.model.delete(hex(keyOf(2, 0)));
    assert.throws(() => world.prove([keyOf(2, 0)]), { code: 'damaged' });
  });

  test('a key of the wrong length is refused', () => {
    const [hashes] = sets;
    const world = new TreeWorld(hashes ?? assert.fail());
    assert.throws(() => world.prove([new Uint8Array(31)]), {
      code: 'invalid_input',
      message: /32 bytes, got 31/,
    });
  });
});
