// Validators' heights as reported by another validator.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PeerHeights } from '../../../src/consensus/shell/peer-heights.js';
import { ValidatorsWorld } from '../../support/validators-world.js';

const peers = [1, 2].map((index) => ({ index, address: '', connected: true }));

test('the height of a peer is that of the last known block it voted for', () => {
  const heightOf = new Map([['aa', 7]]);
  const heights = new PeerHeights((hash) => heightOf.get(hash));
  const behind = (tip: bigint) => heights.annotate(peers, tip).map(({ behind_by }) => behind_by);
  assert.deepEqual(behind(9n), [undefined, undefined]);
  heights.noteVote(1, { kind: 'notarize', hash: 'aa' });
  heights.noteVote(1, { kind: 'nullify', hash: '00' });
  heights.noteVote(2, { kind: 'finalize', hash: 'bb' });
  assert.deepEqual(
    [behind(9n), behind(7n), behind(5n)],
    [
      [2n, undefined],
      [0n, undefined],
      [0n, undefined],
    ],
  );
  heights.noteVote(1, { kind: 'notarize', hash: 'bb' });
  assert.deepEqual(behind(9n), [2n, undefined]);
  heightOf.set('bb', 8);
  assert.deepEqual(behind(9n), [1n, 1n]);
  heights.noteRequest(1, 3);
  assert.deepEqual(behind(9n), [7n, 1n]);
  heights.reindex((former) => (former === 1 ? 2 : undefined));
  assert.deepEqual(behind(9n), [undefined, 7n]);
});

test('the best height is one reported by more than f validators', () => {
  const heights = new PeerHeights(() => undefined);
  const best: (number | undefined)[] = [];
  for (const [peer, fromHeight] of [
    [1, 9_000_001],
    [2, 13],
    [3, 12],
  ] as const) {
    heights.noteRequest(peer, fromHeight);
    best.push(heights.best(4));
  }
  assert.deepEqual(best, [undefined, 12, 12]);
});

test('peers outside the set do not count towards the best height', () => {
  const heights = new PeerHeights(() => undefined);
  for (const [peer, fromHeight] of [
    [1, 13],
    [2, 12],
    [4, 9_000_001],
    [5, 9_000_001],
  ] as const) {
    heights.noteRequest(peer, fromHeight);
  }
  assert.equal(heights.best(4), 11);
});

test('a disconnected validator falls behind, and the others report by how much', async (t) => {
  const world = await ValidatorsWorld.open({ config: { deltaMs: 300 } });
  t.after(() => world.remove());
  await world.reach(3);
  await world.stop(3);
  await world.reach(8);
  await world.start(3);
  await world.reach(world.height(0) + 1);
  const { shell, world: chain } = world.at(0);
  const tip = chain.chain.tip.header.height;
  const shown = shell.peers(tip + 20n);
  assert.deepEqual(shown.map(({ index }) => index).sort(), [1, 2, 3]);
  for (const { behind_by: behind } of shown)
    assert.ok(behind !== undefined && behind >= 10n && behind <= 20n + tip);
});
