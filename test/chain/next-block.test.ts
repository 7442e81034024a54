import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextBlock } from '../../src/chain/next-block.js';
import type { PendingBlock } from '../../src/chain/pending-blocks.js';
import { committedHashes, EnvironmentFacts } from '../../src/execution/block-environment.js';
import { hex } from '../support/hex.js';
import { ChainWorld } from '../support/worlds/chain-world.js';

test('a block on a branch sees the branch’s hashes, and below it the committed ones', async () => {
  const world = await ChainWorld.open();
  try {
    const hashes = [hex(world.chain.tip.hash)];
    const line: PendingBlock[] = [];
    const grow = async (view: bigint) => {
      const block = await world.propose({ parent: line.at(-1)?.hash ?? world.chain.tip.hash, view });
      line.push(block);
      hashes.push(hex(block.hash));
      return block;
    };
    await world.blockChain.commit((await grow(1n)).hash);
    for (let view = 2n; view < 6n; view++) {
      await grow(view);
      // These blocks are siblings at the same height, and none is an ancestor.
      await world.propose({ view: 10n * view });
    }
    const [tip, last] = [world.chain.tip.hash, line.at(-1)?.hash ?? assert.fail()];
    for (const [parent, seen] of [
      [last, hashes],
      [tip, hashes.slice(0, 2)],
    ] as const) {
      const context = { parent, epoch: 0n, view: 1_000n, proposer: 0 };
      const above = world.pending.parent(parent) ?? assert.fail();
      const { env } = nextBlock(above, context, above.header.timestamp_ms + 1n);
      const facts = new EnvironmentFacts(env, committedHashes(world.store));
      assert.equal(facts.height, BigInt(seen.length));
      const heights = Array.from({ length: seen.length + 1 }, (_, height) => BigInt(height));
      assert.deepEqual(
        heights.map((height) => hex(facts.hashOf(height) ?? new Uint8Array(0))),
        [...seen, ''],
      );
    }
  } finally {
    await world.remove();
  }
});
