import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Vote } from '../../../src/consensus/core/types.js';
import { EvidenceStore } from '../../../src/consensus/shell/evidence.js';
import { ChainWorld } from '../../support/chain-world.js';

const MOST = 1_000;

function vote(view: number, hash: string): Vote {
  return {
    ...({
      kind: 'notarize',
      epoch: 0,
      view,
      parentView: view - 1,
      hash: hash.repeat(32),
      signer: 1,
    } as const),
    partial: new Uint8Array(96),
    signature: new Uint8Array(64),
  };
}

test('a validator that votes twice in every view fills the store with 1,000 pairs and no more', async (t) => {
  const world = await ChainWorld.open();
  t.after(() => world.remove());
  const evidence = new EvidenceStore(world.store);
  for (let view = 1; view <= MOST + 50; view++) {
    assert.equal(await evidence.add(vote(view, 'aa'), vote(view, 'bb')), view <= MOST);
  }
  assert.equal(evidence.count, MOST);
  const again = new EvidenceStore(world.store);
  assert.equal(again.list().length, MOST);
  assert.equal(await again.add(vote(MOST + 99, 'aa'), vote(MOST + 99, 'bb')), false, 'also after a restart');
});
