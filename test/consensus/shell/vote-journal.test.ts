import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { NODE_RUNTIME } from '../../../src/async/runtime.js';
import type { EncodedBlock } from '../../../src/chain/decode-block.js';
import type { Certificate, JournalEntry, VoteMessage } from '../../../src/consensus/core/types.js';
import { VoteJournal } from '../../../src/consensus/shell/vote-journal.js';
import { toHex } from '../../../src/idl/hex.js';
import { BlockReader } from '../../../src/ledger/block-store.js';
import { encoded } from '../../support/worlds/block-transfer.js';
import { ChainWorld } from '../../support/worlds/chain-world.js';

const HASH = 'ab'.repeat(32);

function vote(view: number, epoch = 0): JournalEntry {
  const message: VoteMessage = { kind: 'finalize', epoch, view, parentView: view - 1, hash: HASH };
  return { type: 'vote', message };
}

function certificate(view: number): JournalEntry {
  const message = { kind: 'nullify', epoch: 0, view, parentView: 0, hash: '00'.repeat(32) } as const;
  return { type: 'certificate', certificate: { ...message, signature: new Uint8Array(96).fill(view) } };
}

/** A block in journal form. */
async function blockEntry(world: ChainWorld, view: number): Promise<[JournalEntry, EncodedBlock]> {
  const block = await world.propose();
  const { height, epoch, proposer, parent_hash } = block.header;
  const facts = {
    hash: toHex(block.hash),
    parentHash: toHex(parent_hash),
    height: Number(height),
    epoch: Number(epoch),
    view: Number(block.header.view),
    proposer,
  };
  return [{ type: 'block', block: facts, view }, encoded(block)];
}

async function opened(t: TestContext): Promise<ChainWorld> {
  const world = await ChainWorld.open();
  t.after(() => world.remove());
  return world;
}

const NONE = () => undefined;

test('a restart returns the written entries in order, whatever their views', async (t) => {
  const world = await opened(t);
  const [block, bytes] = await blockEntry(world, 5);
  const first = await VoteJournal.open(world.store, NODE_RUNTIME);
  const entries = [vote(7), certificate(6), block, vote(5)];
  await first.append(entries.slice(0, 2), NONE);
  await first.append(entries.slice(2), () => bytes);
  const second = await VoteJournal.open(world.store, NODE_RUNTIME);
  assert.deepEqual(second.restored(0), entries);
  assert.deepEqual(second.id, first.id);
  if (block.type === 'block') assert.deepEqual(second.block(block.block.hash), bytes);
  await second.append([vote(8)], NONE);
  const third = await VoteJournal.open(world.store, NODE_RUNTIME);
  assert.deepEqual(third.restored(0), [...entries, vote(8)]);
});

test('a finalization removes obsolete entries and unreferenced blocks', async (t) => {
  const world = await opened(t);
  const [block, bytes] = await blockEntry(world, 3);
  const journal = await VoteJournal.open(world.store, NODE_RUNTIME);
  if (block.type !== 'block') assert.fail();
  // The epoch's last block gets votes again in a later view.
  const again: JournalEntry = { ...block, view: 6 };
  await journal.append([vote(2), block, vote(3), again, vote(6)], () => bytes);
  await journal.prune(0, 3);
  assert.deepEqual((await VoteJournal.open(world.store, NODE_RUNTIME)).restored(0), [again, vote(6)]);
  assert.deepEqual(journal.block(block.block.hash), bytes);
  await journal.prune(0, 6);
  assert.deepEqual((await VoteJournal.open(world.store, NODE_RUNTIME)).restored(0), []);
  assert.equal(journal.block(block.block.hash), undefined);
});

test('the latest finalization is kept', async (t) => {
  const world = await opened(t);
  const journal = await VoteJournal.open(world.store, NODE_RUNTIME);
  const finalization = (epoch: number, view: number): Certificate => {
    const message = { kind: 'finalize', epoch, view, parentView: view - 1, hash: HASH } as const;
    return { ...message, signature: new Uint8Array(96) };
  };
  assert.equal(journal.finalization, undefined);
  await journal.keepFinalization(finalization(0, 9));
  await journal.keepFinalization(finalization(0, 7));
  assert.deepEqual(journal.finalization, finalization(0, 9));
  await journal.keepFinalization(finalization(1, 2));
  await journal.keepFinalization(finalization(0, 11));
  assert.deepEqual(journal.finalization, finalization(1, 2));
  assert.deepEqual((await VoteJournal.open(world.store, NODE_RUNTIME)).finalization, finalization(1, 2));
});

test('entries of earlier epochs are removed with the next and not returned', async (t) => {
  const world = await opened(t);
  const journal = await VoteJournal.open(world.store, NODE_RUNTIME);
  await journal.append([vote(9, 0), vote(1, 1)], NONE);
  assert.deepEqual((await VoteJournal.open(world.store, NODE_RUNTIME)).restored(1), [vote(1, 1)]);
  await journal.prune(1, 0);
  assert.deepEqual((await VoteJournal.open(world.store, NODE_RUNTIME)).restored(0), [vote(1, 1)]);
});

test('each store has a journal with a unique id', async (t) => {
  const [one, other] = [await opened(t), await opened(t)];
  const ids = await Promise.all(
    [one, other].map(async ({ store }) => (await VoteJournal.open(store, NODE_RUNTIME)).id),
  );
  assert.notDeepEqual(ids[0], ids[1]);
  assert.equal(new BlockReader(one.store).header(0n)?.header.height, 0n);
});
