import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Vote } from '../../../src/consensus/core/types.js';
import {
  EvidenceStore,
  MAX_EVIDENCE_A_SIGNER as MOST,
  type SignerName,
} from '../../../src/consensus/shell/evidence-store.js';
import { ChainWorld } from '../../support/worlds/chain-world.js';

/** Two conflicting votes of one signer. */
function pair(view: number, signer = 1, epoch = 0): [Vote, Vote] {
  const vote = (hash: string): Vote => ({
    ...({ kind: 'notarize', epoch, view, parentView: view - 1, hash: hash.repeat(32), signer } as const),
    partial: new Uint8Array(96),
    signature: new Uint8Array(64),
  });
  return [vote('aa'), vote('bb')];
}

async function opened(t: TestContext, nameOf: SignerName = (_, signer) => String(signer)) {
  const world = await ChainWorld.open();
  t.after(() => world.remove());
  return {
    open: () => new EvidenceStore(world.store, nameOf),
    evidence: new EvidenceStore(world.store, nameOf),
  };
}

test('evidence against a validator that votes twice in every view ends after 32 pairs and displaces no other', async (t) => {
  const { evidence, open } = await opened(t);
  for (let view = 1; view <= MOST + 10; view++) assert.equal(await evidence.add(...pair(view)), view <= MOST);
  assert.equal(await evidence.add(...pair(MOST + 20, 2)), true);
  const again = open();
  assert.equal(again.list().length, MOST + 1);
  assert.equal(await again.add(...pair(MOST + 99)), false, 'also after a restart');
  assert.equal(await again.add(...pair(MOST + 99, 2)), true);
});

test('evidence is kept against each of two validators that vote twice in one view', async (t) => {
  const { evidence } = await opened(t);
  assert.equal(await evidence.add(...pair(1, 1)), true);
  assert.equal(await evidence.add(...pair(1, 2)), true);
  assert.equal(await evidence.add(...pair(1, 2)), false, 'once');
  assert.deepEqual(
    evidence.list().map(({ second }) => second.signer),
    [1, 2],
  );
});

test('a validator that takes over an index in the next epoch has its own limit', async (t) => {
  const sets = [
    ['a', 'b', 'c'],
    ['a', 'c'],
  ];
  const { evidence, open } = await opened(t, (epoch, signer) => sets[Number(epoch)]?.[signer]);
  for (let view = 1; view <= MOST; view++) await evidence.add(...pair(view, 1, 0));
  for (const store of [evidence, open()]) {
    assert.equal(await store.add(...pair(99, 1, 0)), false);
    assert.equal(await store.add(...pair(store === evidence ? 1 : 2, 1, 1)), true);
  }
});
