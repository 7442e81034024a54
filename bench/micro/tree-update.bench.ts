/**
 * Cost of a changed key in the state tree, with the tree's pages in memory. Floor: hashing alone, of as many leaves and
 * inner nodes, in the fastest form that the node has for each (vector lanes for leaves, native pairs for inner nodes).
 */
import { randomBytes } from 'node:crypto';
import type { Hashes } from '../../src/crypto/crypto.js';
import { loadHashes } from '../../src/crypto/load-hashes.js';
import type { TreeChange } from '../../src/proofs/tree/sorted-changes.js';
import { StateTree } from '../../src/proofs/tree/state-tree.js';
import { BLOCK_BYTES, createSha256Lanes, LANES } from '../../src/wasm/hashes/sha256-lanes.js';
import { measurePairs, type PairedTask } from './paired-tasks.js';

const KEYS = 60_000;
const VALUE_BYTES = 60;
/** Blocks of a value of 60 bytes, and of a leaf. */
const MESSAGE_BLOCKS = 2;
/** Batches of changes that a task applies in turn. */
const BATCHES = 4;
const PAIRS_AT_ONCE = 1_024;

const hashes = await loadHashes('auto');
let pairs = 0;
/** Counts the inner nodes that the tree hashes. */
const crypto: Hashes = {
  sha256: hashes.sha256,
  sha256Pairs: (input, output) => {
    pairs += input.length / 64;
    return hashes.sha256Pairs(input, output);
  },
};

const byKey = (a: TreeChange, b: TreeChange): number => Buffer.compare(a.key, b.key);
const value = (): Uint8Array => new Uint8Array(randomBytes(VALUE_BYTES));
const state: TreeChange[] = Array.from({ length: KEYS }, () => ({
  key: new Uint8Array(randomBytes(32)),
  value: value(),
}));
// Every page is in memory, so that the store is never read.
const store = {
  getMany: () => {
    throw new Error('a page of the tree is not in memory');
  },
};
const tree = StateTree.empty({ crypto, store, cacheBytes: Number.MAX_SAFE_INTEGER });
tree.apply([...state].sort(byKey));

const lanes = createSha256Lanes(LANES * MESSAGE_BLOCKS * BLOCK_BYTES + LANES * 32);
const pairInput = new Uint8Array(PAIRS_AT_ONCE * 64).fill(7);
const pairOutput = new Uint8Array(PAIRS_AT_ONCE * 32);

function updates(changed: number): PairedTask {
  const batches = Array.from({ length: BATCHES }, (_, batch) =>
    state
      .slice(batch * changed, (batch + 1) * changed)
      .map(({ key }) => ({ key, value: value() }))
      .sort(byKey),
  );
  let next = 0;
  const run = (): void => tree.apply(batches[next++ % BATCHES] ?? []);
  pairs = 0;
  for (let batch = 0; batch < BATCHES; batch++) run();
  const inner = Math.round(pairs / BATCHES);
  return {
    name: `changed key, ${changed} in a block`,
    operations: changed,
    run,
    floors: [
      {
        name: 'the hashes',
        operations: changed,
        run: () => {
          // Two hashes for each leaf: of the value, and of the key with it.
          for (let leaf = 0; leaf < 2 * changed; leaf += LANES) {
            lanes.hash(0, MESSAGE_BLOCKS, LANES * MESSAGE_BLOCKS * BLOCK_BYTES, 1);
          }
          for (let left = inner; left > 0; left -= PAIRS_AT_ONCE) {
            const count = Math.min(left, PAIRS_AT_ONCE);
            hashes.sha256Pairs(pairInput.subarray(0, count * 64), pairOutput.subarray(0, count * 32));
          }
        },
      },
    ],
  };
}

await measurePairs(
  `state tree, ${KEYS} keys`,
  'ns',
  [100, 1_000, 10_000].map((changed) => updates(changed)),
);
