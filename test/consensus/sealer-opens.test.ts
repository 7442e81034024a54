// The sealer keeps sealing until all envelopes are open, and requests their keys when due.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NODE_RUNTIME } from '../../src/async/runtime.js';
import type { PendingBlock } from '../../src/chain/pending-blocks.js';
import { keyFinder } from '../../src/consensus/seal-keys.js';
import { ConsensusShell } from '../../src/consensus/shell/shell.js';
import { NO_PEERS, SOLE_EPOCHS, SOLE_SIGNATURES } from '../../src/consensus/shell/sole-validator.js';
import { BlockReader } from '../../src/ledger/block-store.js';
import { Sealing } from '../support/crypto/sealing.js';
import { ChainWorld } from '../support/worlds/chain-world.js';

test('an idle chain keeps sealing while envelopes wait, opens them when due, then rests', async () => {
  const world = await ChainWorld.open();
  const sealing = await Sealing.of(world);
  let sealer: ConsensusShell<PendingBlock> | undefined;
  const asked: [height: bigint, tip: bigint][] = [];
  try {
    world.submit(sealing.envelope({ from: 1, opensAt: 4n }));
    await new Promise<void>((resolve, reject) => {
      const nothing = () => undefined;
      const onSealed = ({ openings }: PendingBlock) => {
        if (openings.length > 0) resolve();
      };
      sealer = new ConsensusShell({
        config: {
          epochLength: 10_000,
          deltaMs: 500,
          blockTimeMs: 5,
          idleBlockTimeMs: 0,
          sealInstantly: true,
        },
        chain: world.blockChain,
        store: world.store,
        blocks: new BlockReader(world.store),
        crypto: world.crypto,
        pool: world.pool,
        signatures: SOLE_SIGNATURES,
        network: NO_PEERS,
        epochs: SOLE_EPOCHS,
        groupPublicKey: world.chain.genesis.validator_set.group_public_key,
        sealKeys: {
          committed: () => undefined,
          forProposal: async (due) => {
            for (const height of due) asked.push([height, world.chain.tip.header.height]);
            return keyFinder(due.map((height) => sealing.key(height)));
          },
        },
        runtime: { ...NODE_RUNTIME, wallMs: () => 1_000 },
        onFinal: onSealed,
        onFailure: reject,
        log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
      });
      sealer.start();
    });
    assert.equal(world.chain.tip.header.height, 5n);
    assert.deepEqual(asked, [[4n, 4n]]);
    assert.deepEqual(world.blockChain.unopenedHeights(), []);
  } finally {
    await sealer?.stop();
    await world.remove();
  }
});
