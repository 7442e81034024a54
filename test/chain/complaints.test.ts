// Complaints about sealed shares, and the renewal of encryption keys, through propose, verify and commit.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { BlockItem, Complaint, Dealing } from '../../src/generated/ledger.js';
import { checkShareKeys } from '../../src/ledger/validators/check-share-keys.js';
import { hex } from '../support/hex.js';
import { ChainWorld } from '../support/worlds/chain-world.js';
import { EpochChain } from '../support/worlds/epoch-chain.js';
import { refusedByValidators } from '../support/worlds/epoch-refusals.js';

/** Heights 1 to 4 are for changes, 5 to 8 for dealings, 9 to 12 for complaints only. */
const LENGTH = 12n;
/** All dealers seal this validator's share. */
const AWAY = 3;

async function opened(t: TestContext): Promise<EpochChain> {
  const chain = await EpochChain.open({ epochLength: LENGTH, ceremony: true });
  t.after(() => chain.world.remove());
  return chain;
}

const complain = (value: Complaint): BlockItem => ({ type: 'complaint', value });
const sharesOf = (chain: EpochChain) =>
  chain.epochs.validators.validators.map(({ share_public_key }) => hex(share_public_key));
const keysOf = (chain: EpochChain) => chain.epochs.encryptionKeys.map((key) => hex(key));

/** Dealings of all validators but one, and garbage of dealer 0. */
function dealtTo(chain: EpochChain) {
  const dealt = [0, 1, 2].map((dealer) => chain.deal(dealer, { silent: [AWAY] }));
  const [good, one, two] = dealt.map(({ dealing }) => dealing);
  assert.ok(good && one && two);
  return { dealt, good, one, two, garbage: chain.garbage(good, 0) };
}

test('a complaint voids a dealing, and the next ones in block order make the shares', async (t) => {
  const chain = await opened(t);
  await chain.advanceTo(4n);
  const { dealt, garbage, one, two } = dealtTo(chain);
  const last = chain.deal(AWAY);
  await chain.advance({ dealings: [garbage, two, one] });
  await chain.advance({ dealings: [last.dealing] });
  await chain.advanceTo(11n);
  const boundary = await chain.advance({ complaints: [chain.complaint(garbage, AWAY)] });
  assert.equal(boundary.complaints.length, 1);
  chain.hand([...dealt.slice(1).reverse(), last]);
  assert.equal(chain.epochs.validators.epoch, 1n);
  assert.deepEqual(
    sharesOf(chain),
    chain.shares[1]?.map((share) => hex(chain.validators.bls.publicKey(share))),
  );
  assert.equal(checkShareKeys(chain.validators.bls, chain.epochs.validators), undefined);
  assert.deepEqual([chain.epochs.dealings, chain.epochs.complaints], [[], []]);
  // The voided dealing renews its dealer's key like the others.
  const made: Dealing[] = [garbage, one, two, last.dealing];
  assert.deepEqual(
    keysOf(chain),
    made.map(({ encryption_key }) => hex(encryption_key)),
  );
});

test('dealings beyond a quorum serve only in place of voided ones', async (t) => {
  const chain = await opened(t);
  await chain.advanceTo(4n);
  const dealt = [2, 0, 3, 1].map((dealer) => chain.deal(dealer));
  await chain.advance({ dealings: dealt.map(({ dealing }) => dealing) });
  assert.equal(chain.epochs.dealings.length, 4);
  await chain.advanceTo(LENGTH);
  chain.hand(dealt.slice(0, 3));
  assert.deepEqual(
    sharesOf(chain),
    chain.shares[1]?.map((share) => hex(chain.validators.bls.publicKey(share))),
  );
});

test('with too few dealings left, the shares stay, changes wait, and keys are renewed', async (t) => {
  const chain = await EpochChain.open({ epochLength: LENGTH, ceremony: true });
  let { world } = chain;
  t.after(() => world.remove());
  await chain.advance({ changes: [chain.change(chain.add(4), [0, 1, 2])] });
  await chain.advanceTo(4n);
  const { garbage, one, two } = dealtTo(chain);
  const before = { shares: sharesOf(chain), keys: keysOf(chain) };
  await chain.advance({ dealings: [one, garbage, two] });
  await chain.advance({ complaints: [chain.complaint(garbage, AWAY)] });
  assert.deepEqual(
    chain.epochs.complaints.map(({ dealer, player }) => [dealer, player]),
    [[0, AWAY]],
  );
  // A node that restarts here knows the same dealings in the same order, the complaint and the keys.
  const { epochs } = chain;
  await world.close();
  world = await ChainWorld.open({ genesis: chain.genesis }, world.directory);
  assert.deepEqual(world.chain.tip.epochs, epochs);
  const commit = async () => {
    const { header } = world.chain.tip;
    const block = await world.propose({ epoch: 0n, view: header.view + 1n });
    await world.blockChain.commit(block.hash);
  };
  while (world.chain.tip.header.height < LENGTH) await commit();
  const after = world.chain.tip.epochs;
  assert.deepEqual(after.validators, { ...epochs.validators, epoch: 1n });
  assert.deepEqual(after.changes, epochs.changes);
  assert.deepEqual([after.dealings, after.complaints], [[], []]);
  assert.deepEqual(
    after.encryptionKeys.map((key) => hex(key)),
    [garbage, one, two].map(({ encryption_key }) => hex(encryption_key)).concat(before.keys[AWAY] ?? ''),
  );
});

test('the new key of a re-added validator waits with its change', async (t) => {
  const chain = await opened(t);
  const [present] = keysOf(chain);
  const renewed = chain.validators.identity(7).encryption_key;
  const again = { ...chain.validators.newValidator(0), encryption_key: renewed };
  const approvers = [1, 2, 3];
  await chain.advance({
    changes: [
      chain.change(chain.remove(0), approvers),
      chain.change({ type: 'add', value: again }, approvers),
    ],
  });
  await chain.advanceTo(LENGTH);
  assert.equal(chain.epochs.validators.epoch, 1n);
  assert.equal(chain.epochs.changes.length, 2);
  assert.equal(keysOf(chain)[0], present);

  chain.shares.push(...chain.shares);
  await chain.advanceTo(LENGTH + 4n);
  const dealt = [1, 2, 3].map((dealer) => chain.deal(dealer));
  await chain.advance({ dealings: dealt.map(({ dealing }) => dealing) });
  await chain.advanceTo(2n * LENGTH);
  assert.deepEqual(chain.epochs.changes, []);
  assert.equal(keysOf(chain)[3], hex(renewed));
});

test('an added validator has the key of its change, and one that does not deal keeps its own', async (t) => {
  const chain = await opened(t);
  const [first, second] = keysOf(chain);
  await chain.advance({
    changes: [chain.change(chain.add(4), [0, 1, 2]), chain.change(chain.remove(1), [0, 2, 3])],
  });
  await chain.advanceTo(4n);
  const dealt = [1, 2, 3].map((dealer) => chain.deal(dealer, { silent: [3] }));
  // The newcomer, player 3, reads the share sealed to the key of its change.
  const [share] = dealt;
  assert.ok(share);
  const read = chain.openedBy(share.dealing, 3, 4);
  assert.deepEqual(read, { type: 'good', share: share.dealt[3]?.share });
  await chain.advance({ dealings: dealt.map(({ dealing }) => dealing) });
  await chain.advanceTo(LENGTH);
  const [, two, three] = dealt.map(({ dealing }) => hex(dealing.encryption_key));
  const added = hex(chain.validators.identity(4).encryption_key);
  assert.deepEqual(keysOf(chain), [first, two, three, added]);
  assert.ok(!keysOf(chain).includes(second ?? ''));
});

test('invalid complaints are refused', async (t) => {
  const chain = await opened(t);
  await chain.advanceTo(4n);
  const { garbage, good, one, two } = dealtTo(chain);
  const complaint = chain.complaint(garbage, AWAY);
  const refused = (why: RegExp, ...complaints: readonly Complaint[]) =>
    refusedByValidators(chain, complaints.map(complain), why);
  await refused(/no dealing of dealer 0 in epoch 0/, complaint);
  await chain.advance({ dealings: [garbage, one, two] });
  await refused(/no dealing of dealer 0 in epoch 1/, { ...complaint, epoch: 1n });
  await refused(/no dealing of dealer 4/, { ...complaint, dealer: 4 });
  await refused(/sealed no share to player 1/, { ...complaint, player: 1 });
  await refused(/does not prove/, { ...complaint, dealer: 1 });
  await refused(/does not prove/, { ...complaint, challenge: complaint.response });
  await refused(/does not prove/, { ...complaint, shared: good.encryption_key });
  await refused(/does not prove/, { ...complaint, shared: new Uint8Array(48) });
  await refused(/does not prove/, { ...complaint, response: new Uint8Array(32).fill(0xff) });
  await refused(/has voided the dealing of dealer 0/, complaint, complaint);
  // A player that proves the right key of a good share.
  const honest = chain.complaint(one, AWAY);
  await refused(/dealer 1 sealed a good share to player 3/, honest);
  await refused(/dealer 1 sealed a good share/, complaint, honest);
  await chain.advance({ complaints: [complaint] });
  await refused(/has voided the dealing of dealer 0/, complaint);
  await chain.advanceTo(LENGTH);
  await refused(/no dealing of dealer 0/, complaint);
});

test('a complaint may stand in the block of the dealing itself, and a proposal leaves out invalid ones', async (t) => {
  const chain = await opened(t);
  await chain.advanceTo(4n);
  const { garbage, one, two } = dealtTo(chain);
  const complaint = chain.complaint(garbage, AWAY);
  const unfounded = chain.complaint(one, AWAY);
  const block = await chain.advance({
    dealings: [garbage, one, two],
    complaints: [unfounded, complaint, complaint],
  });
  assert.deepEqual(
    block.complaints.map(({ dealer }) => dealer),
    [0],
  );
  assert.equal(block.dealings.length, 3);
});
