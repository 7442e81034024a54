import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { PendingBlock } from '../../../src/chain/pending-blocks.js';
import type { Certificate } from '../../../src/consensus/core/types.js';
import { CatchUp } from '../../../src/consensus/shell/catch-up.js';
import type { FinalBlock, PeerMessage } from '../../../src/consensus/shell/ports.js';
import { toHex } from '../../../src/idl/hex.js';
import { encoded } from '../../support/block-travel.js';
import { ChainWorld } from '../../support/chain-world.js';

function finalizationOf({ header, hash }: PendingBlock): Certificate {
  const view = Number(header.view);
  const message = { kind: 'finalize', epoch: 0, view, parentView: view - 1, hash: toHex(hash) } as const;
  return { ...message, signature: new Uint8Array(96) };
}

/** A chain of final blocks, of which some have no certificate of their own, and a node that has none of them. */
async function behind(t: TestContext, count: number, isCertified: (height: number) => boolean) {
  const source = await ChainWorld.open();
  const world = await ChainWorld.open();
  t.after(() => Promise.all([source.remove(), world.remove()]));
  const blocks: FinalBlock[] = [];
  let parent = source.chain.tip.hash;
  for (let height = 1; height <= count; height++) {
    const block = await source.propose({ parent, view: BigInt(height) });
    parent = block.hash;
    const certificate = isCertified(height) ? finalizationOf(block) : undefined;
    blocks.push({ block: encoded(block), certificate });
  }
  return { world, blocks };
}

/** Peers answer with at most so many blocks. */
function catchingUp(world: ChainWorld, blocks: readonly FinalBlock[], sizeOf: (peer: number) => number) {
  const asked: { readonly peer: number; readonly fromHeight: number }[] = [];
  const commits: { readonly own: number | undefined; readonly under: number }[] = [];
  const withheld: number[] = [];
  let failures = 0;
  const catchUp = new CatchUp({
    crypto: world.crypto,
    chain: {
      get tip() {
        return world.chain.tip;
      },
      verify: (block, context, signal) => {
        if (failures === 0) return world.blockChain.verify(block, context, signal);
        failures--;
        return Promise.resolve({ verdict: 'withheld', reason: 'a worker ended', cause: undefined });
      },
    },
    signatures: { isCertified: async () => true },
    network: {
      connected: () => [1, 2],
      send: (peer: number, message: PeerMessage) => {
        if (message.type !== 'get_finalized') return;
        const { fromHeight } = message;
        asked.push({ peer, fromHeight });
        const some = blocks.slice(fromHeight - 1, fromHeight - 1 + sizeOf(peer));
        setImmediate(() => catchUp.answered(peer, { fromHeight, blocks: some }));
      },
      drop: (_, reason) => assert.fail(reason),
    },
    commit: async (block, certificate, finalization) => {
      commits.push({ own: certificate?.view, under: finalization.view });
      await world.blockChain.commit(block.hash);
    },
    onWithheld: (height) => withheld.push(height),
  });
  return { catchUp, asked, commits, withheld, fail: (count: number) => (failures = count) };
}

test('each block is committed under a finalization, its own or a later one, that can be kept first', async (t) => {
  const { world, blocks } = await behind(t, 6, (height) => height % 3 === 0);
  const { catchUp, commits } = catchingUp(world, blocks, () => 4);
  const done = await catchUp.run(6);
  assert.deepEqual([done?.committed.height, done?.finalization.view], [6, 6]);
  assert.deepEqual(commits, [
    { own: undefined, under: 3 },
    { own: undefined, under: 3 },
    { own: 3, under: 3 },
    { own: undefined, under: 6 },
    { own: undefined, under: 6 },
    { own: 6, under: 6 },
  ]);
});

test('a peer that gives one block at a time, and never a certificate, does not hold a node up', async (t) => {
  const { world, blocks } = await behind(t, 40, (height) => height === 40);
  const { catchUp, asked } = catchingUp(world, blocks, (peer) => (peer === 1 ? 1 : 40));
  const done = await catchUp.run(40);
  assert.equal(done?.committed.height, 40);
  assert.equal(asked.filter(({ peer }) => peer === 1).length, 32);
  assert.deepEqual(asked.at(-1), { peer: 2, fromHeight: 1 });
});

test('a block of which nothing can be said now is tried again', async (t) => {
  const { world, blocks } = await behind(t, 2, () => true);
  const { catchUp, withheld, fail } = catchingUp(world, blocks, () => 2);
  fail(1);
  const done = await catchUp.run(2);
  assert.equal(done?.committed.height, 2);
  assert.deepEqual(withheld, [1]);
});
