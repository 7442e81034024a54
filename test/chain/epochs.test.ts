// Epochs through propose, verify and commit: dealings, changes, boundaries, and their stored records.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { NO_EPOCH_ITEMS } from '../../src/chain/epochs/epoch-state.js';
import type { PendingBlock } from '../../src/chain/pending-blocks.js';
import type { ProposalContext } from '../../src/chain/propose-block.js';
import type { BlockItem, Dealing, ValidatorChange } from '../../src/generated/ledger.js';
import { BlockReader } from '../../src/ledger/block-store.js';
import { validatorsHash } from '../../src/ledger/header.js';
import { checkShareKeys } from '../../src/ledger/validators/check-share-keys.js';
import { finalizeMessage } from '../../src/proofs/verify/certificate-message.js';
import { Sealing } from '../support/crypto/sealing.js';
import { signTogether } from '../support/crypto/threshold.js';
import { hex } from '../support/hex.js';
import { contextOf, encoded, verified } from '../support/worlds/block-transfer.js';
import { ChainWorld } from '../support/worlds/chain-world.js';
import { EpochChain, type EpochChainOptions } from '../support/worlds/epoch-chain.js';
import { refusalOf, refusedByValidators } from '../support/worlds/epoch-refusals.js';

/** Heights 1 to 4 are for changes, 5 to 8 for dealings, 9 to 12 for complaints only. */
const LENGTH = 12n;

async function opened(t: TestContext, options: EpochChainOptions = {}): Promise<EpochChain> {
  const chain = await EpochChain.open({ epochLength: LENGTH, ...options });
  t.after(() => chain.world.remove());
  return chain;
}

const deal = (value: Dealing): BlockItem => ({ type: 'dealing', value });
const sharesOf = (chain: EpochChain) =>
  chain.epochs.validators.validators.map(({ share_public_key }) => hex(share_public_key));
const membersOf = (chain: EpochChain) =>
  chain.epochs.validators.validators.map(({ address }) => hex(address));
const identities = (chain: EpochChain, ...numbers: readonly number[]) =>
  numbers.map((number) => hex(chain.validators.identity(number).address));

test('dealings of the second third form the shares of the next epoch', async (t) => {
  const chain = await opened(t);
  const { world, genesis } = chain;
  await chain.advanceTo(4n);
  const before = sharesOf(chain);
  const first = world.header(world.chain.tip.hash).validators_hash;
  const dealt = [3, 0, 1].map((dealer) => chain.deal(dealer));
  const [early, second, last] = dealt.map(({ dealing }) => dealing);
  assert.ok(early !== undefined && second !== undefined && last !== undefined);
  await chain.advance({ dealings: [early] });
  await chain.advance({ dealings: [second] });
  assert.deepEqual(
    chain.epochs.dealings.map(({ dealer }) => dealer),
    [3, 0],
  );
  await chain.advanceTo(7n);
  assert.equal((await chain.advance({ dealings: [last] })).dealings.length, 1);
  await chain.advanceTo(11n);
  const boundary = await chain.advance();
  chain.hand(dealt);

  const { validators: set, dealings, changes } = chain.epochs;
  assert.deepEqual([set.epoch, set.quorum, dealings.length, changes.length], [1n, 3, 0, 0]);
  assert.deepEqual(set.group_public_key, genesis.validator_set.group_public_key);
  assert.deepEqual(membersOf(chain), identities(chain, 0, 1, 2, 3));
  assert.notDeepEqual(sharesOf(chain), before);
  assert.equal(checkShareKeys(chain.validators.bls, set), undefined);
  assert.deepEqual(
    sharesOf(chain),
    chain.shares[1]?.map((share) => hex(chain.validators.bls.publicKey(share))),
  );
  assert.deepEqual(boundary.header.validators_hash, first);
  assert.deepEqual([boundary.header.epoch, boundary.header.view], [0n, 12n]);
  assert.deepEqual(world.chain.validatorsAt(0n), genesis.validator_set);
  assert.deepEqual(world.chain.validatorsAt(1n), set);
  assert.equal(world.chain.validatorsAt(2n), undefined);

  const after = await chain.advance();
  assert.deepEqual([after.header.epoch, after.header.view], [1n, 1n]);
  assert.deepEqual(after.header.validators_hash, validatorsHash(world.crypto, set));
  assert.notDeepEqual(after.header.validators_hash, first);

  // The new shares can deal too.
  await chain.advanceTo(16n);
  await chain.advance({ dealings: [0, 2, 3].map((dealer) => chain.dealing(dealer)) });
  await chain.advanceTo(24n);
  assert.deepEqual(
    [chain.epochs.validators.epoch, chain.epochs.validators.group_public_key],
    [2n, genesis.validator_set.group_public_key],
  );
  assert.notDeepEqual(world.chain.validatorsAt(2n)?.validators, set.validators);
});

test('with too few dealings, members, quorum and shares stay and changes wait', async (t) => {
  const chain = await opened(t, { ceremony: true });
  await chain.advance({ changes: [chain.change(chain.remove(3), [0, 1, 2])] });
  await chain.advanceTo(4n);
  await chain.advance({ dealings: [chain.dealing(0), chain.dealing(1)] });
  const before = chain.epochs;
  await chain.advanceTo(12n);
  assert.deepEqual(chain.epochs.validators, { ...before.validators, epoch: 1n });
  assert.deepEqual(chain.epochs.changes, before.changes);
  assert.deepEqual(chain.epochs.dealings, []);
  const [first] = chain.shares;
  assert.ok(first !== undefined);
  chain.shares[1] = first;
  // Waiting changes are applied together with new ones.
  await refusedByValidators(
    chain,
    [{ type: 'change', value: chain.change(chain.remove(3), [0, 1, 2]) }],
    /is not a validator/,
  );
  await chain.advance({ changes: [chain.change(chain.add(4), [1, 2, 3])] });
  await chain.advanceTo(16n);
  await chain.advance({ dealings: [0, 1, 2].map((dealer) => chain.dealing(dealer)) });
  await chain.advanceTo(24n);
  assert.deepEqual(membersOf(chain), identities(chain, 0, 1, 2, 4));
  assert.deepEqual(chain.epochs.changes, []);
});

test('changes of the first third append and remove members; quorum and indices follow', async (t) => {
  const chain = await opened(t, { ceremony: true });
  await chain.advance({
    changes: [chain.change(chain.add(4), [0, 1, 3]), chain.change(chain.remove(1), [0, 2, 3])],
  });
  await chain.advance({ changes: [5, 6, 7].map((number) => chain.change(chain.add(number), [0, 1, 2])) });
  await chain.advanceTo(4n);
  const dealt = [0, 1, 2].map((dealer) => chain.deal(dealer, { silent: dealer === 0 ? [6] : [] }));
  await chain.advance({ dealings: dealt.map(({ dealing }) => dealing) });
  await chain.advanceTo(12n);
  chain.hand(dealt);
  const { validators: set } = chain.epochs;
  assert.deepEqual(membersOf(chain), identities(chain, 0, 2, 3, 4, 5, 6, 7));
  assert.deepEqual([set.quorum, set.validators.map(({ index }) => index)], [5, [0, 1, 2, 3, 4, 5, 6]]);
  assert.equal(checkShareKeys(chain.validators.bls, set), undefined);
  // Back to four members, approved by the new set.
  const changes = [0, 2, 3].map((number) => chain.change(chain.remove(number), [2, 3, 4, 5, 6]));
  await chain.advance({ changes }, { proposer: 6 });
  await chain.advanceTo(16n);
  expectCertified(chain, [0, 2, 3, 4, 6]);
  const again = [2, 3, 4, 5, 6].map((dealer) => chain.deal(dealer));
  await chain.advance({ dealings: again.map(({ dealing }) => dealing) });
  await chain.advanceTo(24n);
  chain.hand(again);
  assert.deepEqual(membersOf(chain), identities(chain, 4, 5, 6, 7));
  assert.equal(chain.epochs.validators.quorum, 3);
  assert.equal(checkShareKeys(chain.validators.bls, chain.epochs.validators), undefined);
  await chain.advance();
  expectCertified(chain, [0, 1, 3]);
});

/** Asserts that a quorum of the current shares, and no fewer, certifies the tip under the genesis key. */
function expectCertified(
  { world, genesis, validators, shares }: EpochChain,
  quorum: readonly number[],
): void {
  const { header, hash } = world.chain.tip;
  const { chain_id: chainId, epoch, view } = header;
  const message = finalizeMessage({ chainId, epoch, view, parentView: view - 1n, hash });
  const { bls } = validators;
  const isGood = (signers: readonly number[]) => {
    const signature = signTogether(bls, message, shares[Number(epoch)] ?? [], signers);
    return bls.verify(signature, message, genesis.validator_set.group_public_key);
  };
  assert.ok(isGood(quorum));
  assert.ok(!isGood(quorum.slice(1)));
}

test('invalid changes are refused', async (t) => {
  const chain = await opened(t, { ceremony: true });
  const refused = (change: ValidatorChange, approvers: readonly number[], why: RegExp, epoch = 0n) =>
    refusedByValidators(chain, [{ type: 'change', value: chain.change(change, approvers, epoch) }], why);
  await refused(chain.add(4), [0, 1], /expected 3 approvals/);
  await refused(chain.add(4), [0, 1, 1], /ascend/);
  await refused(chain.add(4), [0, 1, 2], /epoch/, 1n);
  await refused(chain.add(3), [0, 1, 2], /already/);
  await refused(chain.remove(4), [0, 1, 2], /is not a validator/);
  const [forged] = [chain.change(chain.add(4), [0, 1, 2])];
  const approvals = forged.approvals.map(({ signature }, place) => ({ index: place + 1, signature }));
  await refusedByValidators(chain, [{ type: 'change', value: { ...forged, approvals } }], /not signed/);
  await chain.advanceTo(4n);
  await refused(chain.add(4), [0, 1, 2], /after the first third/);
});

test('an approval counts for one change: a later reversal does not let it be replayed', async (t) => {
  const chain = await opened(t, { ceremony: true });
  const added = chain.change(chain.add(4), [0, 1, 2]);
  const removed = chain.change(chain.remove(4), [0, 1, 2]);
  await chain.advance({ changes: [added, removed] });
  assert.equal(chain.epochs.changes.length, 2);
  await refusedByValidators(chain, [{ type: 'change', value: added }], /twice/);
  // A repeated change is refused whoever approves it.
  const others = chain.change(chain.add(4), [1, 2, 3]);
  await refusedByValidators(chain, [{ type: 'change', value: others }], /twice/);
  const block = await chain.advance({ changes: [added] });
  assert.equal(block.changes.length, 0);
});

test('a chain started by a single dealer admits nobody but can remove members', async (t) => {
  const chain = await opened(t);
  await refusedByValidators(
    chain,
    [{ type: 'change', value: chain.change(chain.add(4), [0, 1, 2, 3]) }],
    /no further validators/,
  );
  const block = await chain.advance({
    changes: [chain.change(chain.add(4), [0, 1, 2]), chain.change(chain.remove(0), [1, 2, 3])],
  });
  assert.deepEqual(
    block.changes.map(({ change }) => change.type),
    ['remove'],
  );
});

test('invalid dealings are refused', async (t) => {
  const chain = await opened(t);
  const good = [0, 1, 2, 3].map((dealer) => chain.dealing(dealer));
  const [one, two, three] = good;
  assert.ok(one !== undefined && two !== undefined && three !== undefined);
  await refusedByValidators(chain, [deal(one)], /outside of the second third/);
  await chain.advanceTo(4n);
  await refusedByValidators(chain, [deal(one), deal(one)], /second dealing of dealer 0/);
  await refusedByValidators(chain, [deal({ ...one, epoch: 1n })], /epoch/);
  await refusedByValidators(chain, [deal({ ...one, dealer: 4 })], /no dealer 4/);
  await refusedByValidators(chain, [deal({ ...one, dealer: 1 })], /constant/);
  await refusedByValidators(chain, [deal({ ...one, signature: two.signature })], /not signed by it/);
  await refusedByValidators(chain, [deal({ ...one, acks: one.acks.slice(1) })], /acknowledgements/);
  await refusedByValidators(chain, [deal({ ...one, commitments: one.commitments.slice(1) })], /commitments/);
  // One bad dealing among good ones is enough for refusal.
  await refusedByValidators(chain, [deal(two), deal({ ...one, signature: two.signature })], /not signed/);

  await chain.advance({ dealings: [one, two] });
  await refusedByValidators(chain, [deal(one)], /second dealing of dealer 0/);
  await chain.advanceTo(8n);
  await refusedByValidators(chain, [deal(three)], /outside of the second third/);
});

test('a block belongs to the epoch of its height, and views restart with an epoch', async (t) => {
  const chain = await opened(t);
  assert.equal((await refusalOf(chain, [], { epoch: 1n })).rule, 'epoch');
  await chain.advanceTo(11n);
  assert.equal((await refusalOf(chain, [], { view: 11n })).rule, 'view');
  assert.equal((await refusalOf(chain, [], { epoch: 1n, view: 1n })).rule, 'epoch');
  await chain.advance();
  // The set's epoch number changes even if the members do not.
  assert.equal((await refusalOf(chain, [], { view: 0n })).rule, 'view');
  assert.equal((await refusalOf(chain, [], { epoch: 0n, view: 13n })).rule, 'epoch');
  assert.equal((await refusalOf(chain, [], { view: 2n }, { view: 1n })).rule, 'view');
  assert.equal((await refusalOf(chain, [], { proposer: 4 })).rule, 'proposer');
  const old = validatorsHash(chain.world.crypto, chain.genesis.validator_set);
  assert.equal((await refusalOf(chain, [], { validators_hash: old })).rule, 'validators_hash');
  const { header } = await chain.advance();
  assert.deepEqual([header.epoch, header.view, header.height], [1n, 1n, 13n]);
});

test('after a last block that is not final only a block of the next epoch is valid', async (t) => {
  const chain = await opened(t);
  await chain.advanceTo(11n);
  const last = await chain.propose();
  await assert.rejects(chain.propose({ parent: last.hash, epoch: 0n, view: 13n }), { code: 'no_validator' });
  const child = await chain.propose({ parent: last.hash });
  assert.deepEqual([child.header.epoch, child.header.view], [1n, 1n]);
  await chain.world.blockChain.commit(child.hash);
  assert.deepEqual(chain.world.chain.validatorsAt(1n), chain.epochs.validators);
});

test('a proposal leaves out invalid items', async (t) => {
  const chain = await opened(t, { ceremony: true });
  const early = [0, 1, 2, 3].map((dealer) => chain.dealing(dealer));
  const add = chain.change(chain.add(4), [0, 1, 2]);
  const first = await chain.advance({ dealings: early, changes: [add, add] });
  assert.deepEqual([first.dealings.length, first.changes.length], [0, 1]);
  await chain.advanceTo(4n);
  // The invalid dealings: made for the previous four members, by a non-member, for another epoch, or repeated.
  const good = [0, 1, 2, 3].map((dealer) => chain.dealing(dealer));
  const [one] = good;
  assert.ok(one !== undefined);
  const late = chain.change(chain.remove(0), [1, 2, 3]);
  const dealings = [...early, { ...one, dealer: 77 }, { ...one, epoch: 9n }, one, ...good];
  const block = await chain.propose({ items: { ...NO_EPOCH_ITEMS, dealings, changes: [late] } });
  assert.deepEqual(
    block.dealings.map(({ dealer }) => dealer),
    [0, 1, 2, 3],
  );
  assert.equal(block.changes.length, 0);
  await chain.world.blockChain.commit(block.hash);
  assert.equal((await chain.advance({ dealings: good })).dealings.length, 0);
  await chain.advanceTo(12n);
  assert.equal((await chain.advance({ dealings: good, changes: [add, late] })).items.length, 0);
});

test('writes on one branch are invisible on the other', async (t) => {
  const chain = await opened(t, { ceremony: true });
  await chain.advanceTo(4n);
  const { hash: parent } = chain.world.chain.tip;
  const branch = async (dealers: readonly number[], view: bigint): Promise<PendingBlock> => {
    let block = await chain.propose({
      view,
      items: { ...NO_EPOCH_ITEMS, dealings: dealers.map((dealer) => chain.dealing(dealer)) },
    });
    while (block.header.height < LENGTH) block = await chain.propose({ parent: block.hash });
    return block;
  };
  const [left, right, short] = [
    await branch([0, 1, 2], 5n),
    await branch([1, 2, 3], 6n),
    await branch([0, 3], 7n),
  ];
  assert.deepEqual(chain.world.chain.tip.hash, parent);
  const keys = [left, right, short].map(({ epochs }) =>
    epochs.validators.validators.map(({ share_public_key }) => hex(share_public_key)),
  );
  assert.equal(new Set(keys.map(String)).size, 3);
  assert.deepEqual(keys[2], sharesOf(chain));
  assert.equal(new Set([left, right, short].map(({ header }) => hex(header.state_root))).size, 3);
  // Another node reaches the same state by following this branch alone.
  const other = await ChainWorld.open({ genesis: chain.genesis });
  t.after(() => other.remove());
  const line = chain.world.pending.parent(right.hash)?.blocks ?? [];
  for (let height = 1n; height <= 4n; height++) await replay(chain, other, height);
  for (const block of line) await verified(other, block);
  assert.deepEqual(other.pending.get(right.hash)?.epochs, right.epochs);
  await chain.world.blockChain.commit(right.hash);
  assert.deepEqual(sharesOf(chain), keys[1]);
  assert.equal(chain.world.pending.size, 0);
});

/** Replays a block that another world committed. */
async function replay({ world }: EpochChain, other: ChainWorld, height: bigint): Promise<void> {
  const blocks = new BlockReader(world.store);
  const stored = blocks.header(height);
  assert.ok(stored !== undefined);
  const block = encoded({ header: stored.header, items: blocks.encodedItems(height) });
  const verdict = await other.blockChain.verify(block, contextOf(stored));
  assert.equal(verdict.verdict, 'valid');
  await other.blockChain.commit(stored.hash);
}

test('a reopened store gives the same answers, in mid-epoch and after it', async (t) => {
  const chain = await EpochChain.open({ epochLength: LENGTH, ceremony: true });
  let { world } = chain;
  t.after(() => world.remove());
  const sealing = await Sealing.of(world);
  world.submit(sealing.envelope({ from: 1, opensAt: 7n }), sealing.envelope({ from: 2, opensAt: 16n }));
  await chain.advance({ changes: [chain.change(chain.add(4), [0, 1, 2])] });
  await chain.advance({ changes: [chain.change(chain.remove(0), [1, 2, 3])] });
  await chain.advanceTo(4n);
  await chain.advance({ dealings: [chain.dealing(2), chain.dealing(0)] });
  const reopened = async () => {
    const { epochs, hash } = world.chain.tip;
    const unopened = world.blockChain.unopenedHeights();
    await world.close();
    world = await ChainWorld.open({ genesis: chain.genesis }, world.directory);
    assert.deepEqual(world.chain.tip.hash, hash);
    assert.deepEqual(world.chain.tip.epochs, epochs);
    assert.deepEqual(world.blockChain.unopenedHeights(), unopened);
    return unopened;
  };
  const last = chain.dealing(1);
  assert.deepEqual(await reopened(), [7n, 16n]);
  const commit = async (more: Partial<ProposalContext> = {}) => {
    const { header, epochs } = world.chain.tip;
    const { epoch } = epochs.validators;
    const view = header.epoch === epoch ? header.view + 1n : 1n;
    const block = await world.propose({ epoch, view, ...more });
    await world.blockChain.commit(block.hash);
    return block;
  };
  await commit({ items: { ...NO_EPOCH_ITEMS, dealings: [last] } });
  while (world.chain.tip.header.height < LENGTH) await commit();
  assert.deepEqual(
    world.chain.tip.epochs.validators.validators.map(({ address }) => hex(address)),
    identities(chain, 1, 2, 3, 4),
  );
  assert.deepEqual(await reopened(), [7n, 16n]);
  assert.equal(world.chain.validatorsAt(1n)?.validators.length, 4);
  const { openings } = await commit({ keyOf: (height) => chain.key(height) });
  assert.equal(openings.length, 1);
  assert.deepEqual(await reopened(), [16n]);
});
