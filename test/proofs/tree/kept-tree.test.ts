// Batches of tree pages under blocks that leave no idle time.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { loadHashes } from '../../../src/crypto/load-hashes.js';
import { sha256 } from '../../../src/crypto/sha256.js';
import { KeptTree, storedTreeHeight } from '../../../src/proofs/tree/kept-tree.js';
import { LeafHasher } from '../../../src/proofs/tree/leaf-hashing.js';
import { ChangeList, type SortedChanges } from '../../../src/proofs/tree/sorted-changes.js';
import { writeTree } from '../../../src/proofs/write-tree.js';
import { be64 } from '../../../src/storage/big-endian.js';
import { NodeParts } from '../../support/nodes/node-parts.js';

const KEYS = 60_000;
/** A block that changes this many keys makes more pages dirty than an eighth of the memory has room for. */
const CHANGES = 3_000;

async function open(t: TestContext) {
  const store = await NodeParts.for(t).store();
  const crypto = await loadHashes('auto');
  const leaves = new LeafHasher(crypto);
  const options = {
    crypto,
    store,
    cacheBytes: 8 * 1024 * 1024,
    checkpointInterval: 1_000n,
    onProgress: () => undefined,
  };
  const tree = await KeptTree.open(options, undefined);
  const keys = Array.from({ length: KEYS }, (_, index) => sha256(be64(BigInt(index))));
  let height = 0n;
  const commit = (count: number): void => {
    const first = Number(height) * CHANGES;
    const changed = Array.from({ length: count }, (_, place) => keys[(first + place) % KEYS] ?? be64(0n));
    const list = new ChangeList(leaves, count);
    for (const key of changed.sort(Buffer.compare)) list.add(key, 0, new Uint8Array(60).fill(Number(height)));
    const changes: SortedChanges = list.sorted();
    tree.commit(tree.apply(tree.tip, changes), height);
    height++;
  };
  /** Writes the prepared batches. @returns the height of the stored tree */
  const write = async (): Promise<bigint | undefined> => {
    for (const pieces of tree.take()) await writeTree(store, pieces);
    return storedTreeHeight(store);
  };
  return { tree, commit, write };
}

async function withBatchInProgress(t: TestContext) {
  const parts = await open(t);
  parts.commit(KEYS);
  assert.equal(await parts.write(), 0n);
  parts.commit(CHANGES);
  assert.equal(parts.tree.runIdleStep(), true, 'a batch has begun, and is not finished by one step');
  assert.equal(await parts.write(), 0n);
  return parts;
}

test('a batch in progress waits for idle time while little has changed since', async (t) => {
  const { commit, write } = await withBatchInProgress(t);
  commit(10);
  assert.equal(await write(), 0n);
});

test('a batch in progress is finished at once when many pages have changed since', async (t) => {
  const { commit, write } = await withBatchInProgress(t);
  commit(CHANGES);
  assert.equal(await write(), 1n);
});
