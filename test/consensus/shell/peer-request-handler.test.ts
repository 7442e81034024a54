import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { NODE_RUNTIME } from '../../../src/async/runtime.js';
import { PeerRequestHandler } from '../../../src/consensus/shell/peer-request-handler.js';
import { BlockReader } from '../../../src/ledger/block-store.js';
import { ChainWorld } from '../../support/worlds/chain-world.js';

const PEER = 3;
const OTHER = 2;

describe('a validator that serves blocks', () => {
  let world: ChainWorld;
  let nowMs = 0;

  before(async () => {
    world = await ChainWorld.open();
    for (let height = 1; height <= 8; height++) {
      await world.blockChain.commit((await world.propose()).hash);
    }
  });

  after(() => world.remove());

  /** Serves from a disk with the given read time per block. */
  function serving(readMs: number): PeerRequestHandler {
    const blocks = new BlockReader(world.store);
    return new PeerRequestHandler({
      known: { get: () => undefined },
      blocks: {
        header: (height) => {
          nowMs += readMs;
          return blocks.header(height);
        },
        heightOf: (hash) => blocks.heightOf(hash),
        encodedItems: (height) => blocks.encodedItems(height),
      },
      store: world.store,
      chain: world.chain,
      runtime: { ...NODE_RUNTIME, now: () => nowMs },
    });
  }

  test('returns the available blocks from a height on', () => {
    assert.equal(serving(1).finalized(PEER, 1, 256).length, 8);
    assert.equal(serving(1).finalized(PEER, 7, 256).length, 2);
    assert.equal(serving(1).finalized(PEER, 9, 256).length, 0);
  });

  test('ends a response early if reading is slow, but not before its first block', () => {
    assert.equal(serving(10).finalized(PEER, 1, 256).length, 3);
    assert.equal(serving(400).finalized(PEER, 1, 256).length, 1);
  });

  test('takes no more of the thread for a peer than its share, however slow the disk, and nothing from others', () => {
    const slow = serving(400);
    const begunMs = nowMs;
    let answered = 0;
    for (let request = 0; request < 50; request++) {
      if (slow.finalized(PEER, 1, 256).length > 0) answered++;
    }
    assert.equal(answered, 3);
    assert.equal(slow.block(PEER, '00'.repeat(32)), undefined);
    assert.ok(nowMs - begunMs <= 1_200, `${nowMs - begunMs}`);
    assert.equal(slow.finalized(OTHER, 1, 256).length, 1);
    nowMs += 4_000;
    assert.equal(slow.finalized(PEER, 1, 256).length, 1);
  });
});
