// Blocks are executed on uncommitted ones, and several are committed at once: neither may lose a child's parent or a
// checkpoint's tree.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { loadHashes } from '../../src/crypto/load-hashes.js';
import { encodeBlock } from '../../src/proofs/block-roots.js';
import { ProofCore } from '../../src/proofs/proof-core.js';
import { openStore } from '../../src/storage/open-store.js';
import type { Store } from '../../src/storage/store.js';

const key = (id: number) => new Uint8Array(32).fill(id + 1);
const hashOf = (height: number) => new Uint8Array(32).fill(0x80 + height);

describe('pipelined commits', () => {
  let directory: string;
  let store: Store;
  let core: ProofCore;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'heddle-pipelined-'));
    store = await openStore({ directory, native: 'off', report: () => undefined });
    core = await ProofCore.open({
      crypto: await loadHashes('off'),
      store,
      tip: undefined,
      memoryBytes: 1 << 20,
      proofWindow: 64n,
      checkpointInterval: 4n,
      onProgress: () => undefined,
    });
  });
  afterEach(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });

  /** The roots of a block whose id is its height, on the block with the previous id. */
  function block(height: number): Uint8Array {
    const parent = height === 0 ? {} : { parent: height - 1 };
    const changes = [{ key: key(height), value: Uint8Array.of(height) }];
    const parentHash = height === 0 ? undefined : hashOf(height - 1);
    const made = { height: BigInt(height), parentHash, changes, items: [], receipts: [] };
    return core.block(encodeBlock(height, { ...made, parent: parent.parent })).roots;
  }

  const commit = (height: number) => core.commit({ id: height, hash: hashOf(height) });

  test('a parent committed meanwhile is found by the id that it had while pending', () => {
    block(0);
    commit(0);
    block(1);
    commit(1);
    assert.equal(block(2).length, 128);
    block(3);
    commit(2);
    assert.throws(
      () =>
        core.block(
          encodeBlock(9, {
            parent: 1,
            height: 2n,
            parentHash: hashOf(1),
            changes: [],
            items: [],
            receipts: [],
          }),
        ),
      {
        code: 'out_of_order',
      },
    );
    commit(3);
    assert.equal(block(4).length, 128);
  });

  test('of several blocks committed in a row each checkpoint keeps its tree', () => {
    for (let height = 0; height <= 10; height++) block(height);
    for (let height = 0; height <= 10; height++) commit(height);
    while (core.runIdleStep());
    assert.deepEqual(core.keep([4n, 8n]).heights, [4n, 8n]);
  });
});
