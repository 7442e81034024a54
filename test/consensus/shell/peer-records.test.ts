// Validators' heights as reported by another validator.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PeerRecords } from '../../../src/consensus/shell/peer-records.js';
import { ValidatorsWorld } from '../../support/networks/validators-world.js';

const peers = [1, 2].map((index) => ({ index, address: '', connected: true }));

test('the height of a peer is that of the last known block it voted for', () => {
  const heightOf = new Map([['aa', 7]]);
  const records = new PeerRecords((hash) => heightOf.get(hash));
  const behind = (tip: bigint) => records.annotate(peers, tip).map(({ behind_by }) => behind_by);
  assert.deepEqual(behind(9n), [undefined, undefined]);
  records.noteVote(1, { kind: 'notarize', hash: 'aa' });
  records.noteVote(1, { kind: 'nullify', hash: '00' });
  records.noteVote(2, { kind: 'finalize', hash: 'bb' });
  assert.deepEqual(
    [behind(9n), behind(7n), behind(5n)],
    [
      [2n, undefined],
      [0n, undefined],
      [0n, undefined],
    ],
  );
  records.noteVote(1, { kind: 'notarize', hash: 'bb' });
  assert.deepEqual(behind(9n), [2n, undefined]);
  heightOf.set('bb', 8);
  assert.deepEqual(behind(9n), [1n, 1n]);
  records.noteRequest(1, 3);
  assert.deepEqual(behind(9n), [7n, 1n]);
  records.reindex((former) => (former === 1 ? 2 : undefined));
  assert.deepEqual(behind(9n), [undefined, 7n]);
});

test('the best height is one reported by more than f validators', () => {
  const records = new PeerRecords(() => undefined);
  const best: (number | undefined)[] = [];
  for (const [peer, fromHeight] of [
    [1, 9_000_001],
    [2, 13],
    [3, 12],
  ] as const) {
    records.noteRequest(peer, fromHeight);
    best.push(records.best(4));
  }
  assert.deepEqual(best, [undefined, 12, 12]);
});

test('peers outside the set do not count towards the best height', () => {
  const records = new PeerRecords(() => undefined);
  for (const [peer, fromHeight] of [
    [1, 13],
    [2, 12],
    [4, 9_000_001],
    [5, 9_000_001],
  ] as const) {
    records.noteRequest(peer, fromHeight);
  }
  assert.equal(records.best(4), 11);
});

test('the invalid proposals of a peer are counted, and move with its index', () => {
  const records = new PeerRecords(() => undefined);
  const counts = () => records.annotate(peers, 9n).map(({ invalid_proposals }) => invalid_proposals);
  records.countInvalid(1);
  records.countInvalid(1);
  assert.deepEqual(counts(), [2n, undefined]);
  records.reindex((former) => (former === 1 ? 2 : undefined));
  assert.deepEqual(counts(), [undefined, 2n]);
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
