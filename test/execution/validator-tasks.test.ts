import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDealing } from '../../src/ledger/validators/check-dealing-points.js';
import { nextSet } from '../../src/ledger/validators/next-set.js';
import { honestDealing, TEST_CHAIN_ID, validatorWorld } from '../support/networks/validators.js';
import { NodeParts } from '../support/nodes/node-parts.js';

test('a worker judges dealings and next sets by the rules', async (t) => {
  const world = validatorWorld(13);
  const { set: present, shares } = world.dealt([0, 1, 2, 3]);
  const players = [0, 1, 2, 3, 4];
  const members = players.map((number) => {
    const { address, identity_key, encryption_key } = world.identity(number);
    return { address, identity_key, encryption_key };
  });
  const context = { chainId: TEST_CHAIN_ID, epoch: 0n, currentSet: present, nextPlayers: members };
  const made = [0, 1, 3].map((index) =>
    honestDealing(world, {
      context,
      dealer: { index, identity: index },
      share: shares[index] ?? assert.fail(),
      players,
      silent: index === 0 ? [2] : [],
    }),
  );
  const dealings = made.map(({ dealing }) => dealing);
  const [first, second] = dealings;
  const dealt = made[1]?.dealt[2];
  assert.ok(first && second && dealt);

  const pool = NodeParts.for(t).execution();
  assert.equal(await pool.run('check_dealing', { dealing: first, context }), undefined);
  const wrong = { ...first, acks: second.acks, sealed: [] };
  assert.deepEqual(
    await pool.run('check_dealing', { dealing: wrong, context }),
    checkDealing(world, wrong, context),
  );
  const [sealed] = first.sealed;
  assert.ok(sealed);
  const { encryption } = world.identity(2);
  const toOpen = {
    chainId: TEST_CHAIN_ID,
    epoch: 0n,
    dealer: 0,
    commitments: first.commitments,
    privateKeys: [encryption.privateKey],
    encryptionKey: encryption.publicKey,
    nonce: world.random(48),
  };
  const opened = await pool.run('open_share', { ...toOpen, sealed });
  assert.deepEqual(opened, { type: 'good', share: made[0]?.dealt[2]?.share });
  const garbage = { ...sealed, share: sealed.share.map((byte) => byte ^ 1) };
  const bad = await pool.run('open_share', { ...toOpen, sealed: garbage });
  assert.ok(bad.type === 'garbage' && bad.complaint !== undefined);
  const disputed = { ...toOpen, complaint: bad.complaint, encryptionKey: encryption.publicKey };
  assert.equal(await pool.run('check_complaint', { ...disputed, sealed: garbage }), undefined);
  assert.equal((await pool.run('check_complaint', { ...disputed, sealed }))?.rule, 'unfounded');
  const { commitments, share } = dealt;
  assert.equal(await pool.run('check_evaluation', { commitments, player: 2, share }), undefined);
  const elsewhere = await pool.run('check_evaluation', { commitments, player: 3, share });
  assert.equal(elsewhere?.rule, 'evaluation');
  const next = await pool.run('next_set', { present, members, dealings });
  assert.deepEqual(next, nextSet(present, members, dealings));
  assert.ok(next.reshared);
});
