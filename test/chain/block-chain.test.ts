// Propose, verify and commit, driven as an adversary would: forks, switches, drops, restarts, commits out of order.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import {
  MAX_FULL_BLOCKS_PER_BRANCH,
  MAX_PENDING_BLOCKS,
  type PendingBlock,
} from '../../src/chain/pending-blocks.js';
import { ledger } from '../../src/ledger/codecs.js';
import { accountKey } from '../../src/ledger/state-keys.js';
import { bundleOf } from '../../src/mempool/bundles/bundle.js';
import { valueOfRaw } from '../../src/storage/state.js';
import { hex } from '../support/hex.js';
import { contextOf, encoded, verified } from '../support/worlds/block-transfer.js';
import { ChainWorld } from '../support/worlds/chain-world.js';

const hashesOf = ({ transactions }: PendingBlock) => transactions.map(({ hashHex }) => hashHex);

/** Maximum gas cost of a transaction by default: its limit at a base fee and a priority fee of 1. */
const MOST_GAS_COST = 40_000n * 2n;

function storedBalance({ store, crypto }: ChainWorld, address: Uint8Array): bigint {
  const raw = store.get('state', accountKey(crypto, address));
  return raw === undefined ? 0n : ledger.AccountRecord.decode(valueOfRaw(raw)).balance;
}

describe('branches', () => {
  let world: ChainWorld;
  beforeEach(async () => {
    world = await ChainWorld.open();
  });
  afterEach(() => world.remove());

  test('of two blocks of one height, the uncommitted one leaves no trace', async () => {
    const [one, other] = [world.transaction({ amount: 5n }), world.transaction({ from: 1, amount: 7n })];
    world.submit(one);
    const first = await world.propose();
    world.submit(other);
    const second = await world.propose({ view: 2n });
    assert.deepEqual(hashesOf(first), [one.hashHex]);
    assert.deepEqual(new Set(hashesOf(second)), new Set([one.hashHex, other.hashHex]));
    assert.equal(world.pending.size, 2);
    await world.blockChain.commit(second.hash);
    assert.equal(hex(world.chain.tip.hash), hex(second.hash));
    assert.equal(world.pending.size, 0);
    assert.equal(world.pending.bytes, 0);
    assert.equal(world.pool.size, 0);
    await assert.rejects(world.blockChain.commit(first.hash), { code: 'unknown_block' });
    await assert.rejects(world.propose({ parent: first.hash }), /neither the tip nor pending/);
    await world.blockChain.commit((await world.propose()).hash);
    assert.equal(world.chain.tip.header.height, 2n);
  });

  test('transactions of a dropped block can be drawn again', async () => {
    const transaction = world.transaction();
    world.submit(transaction);
    await world.propose();
    const empty = await world.propose({ view: 9n });
    assert.deepEqual(hashesOf(empty), [transaction.hashHex]);
    const other = await emptyBlock(world);
    await world.blockChain.commit(other.hash);
    assert.equal(world.pool.size, 1);
    assert.deepEqual(hashesOf(await world.propose()), [transaction.hashHex]);
  });

  test('a branch builds on its blocks’ writes and is committed with its ancestors in order', async () => {
    const to = new Uint8Array(20).fill(7);
    const chain = [0n, 1n, 2n].map((nonce) => world.transaction({ nonce, to, amount: 10n }));
    const blocks: PendingBlock[] = [];
    for (const transaction of chain) {
      world.submit(transaction);
      const parent = blocks.at(-1)?.hash ?? world.chain.tip.hash;
      blocks.push(await world.propose({ parent }));
    }
    // Each transaction is in one block only: those of the branch are excluded.
    assert.deepEqual(
      blocks.map(hashesOf),
      chain.map(({ hashHex }) => [hashHex]),
    );
    assert.equal(storedBalance(world, to), 0n);
    const commits = await world.blockChain.commit(blocks[2]?.hash ?? assert.fail());
    assert.deepEqual(
      commits.map(({ block }) => block.header.height),
      [1n, 2n, 3n],
    );
    assert.equal(storedBalance(world, to), 30n);
    assert.equal(world.pool.size, 0);
    assert.deepEqual(await world.blockChain.commit(blocks[2]?.hash ?? assert.fail()), []);
    await assert.rejects(world.blockChain.commit(blocks[0]?.hash ?? assert.fail()), {
      code: 'unknown_block',
    });
  });

  test('switching between branches gives the same roots as each branch alone', async () => {
    const [alone, both] = [await ChainWorld.open(), await ChainWorld.open()];
    try {
      const spend = [0n, 1n].map((nonce) => world.transaction({ nonce, amount: 3n }));
      const other = [0n, 1n].map((nonce) => world.transaction({ from: 2, nonce, amount: 4n }));
      // One world alternates between two branches, another in a different order; a third has only one of them.
      const [s0, s1] = spend;
      const [o0, o1] = other;
      assert.ok(s0 && s1 && o0 && o1);
      world.submit(s0);
      const a1 = await world.propose();
      world.submit(o0);
      world.pool.drop(s0.hashHex, 'evicted', 'for the other branch');
      const b1 = await world.propose({ view: 2n });
      assert.deepEqual([hashesOf(a1), hashesOf(b1)], [[s0.hashHex], [o0.hashHex]]);
      world.submit(s1, o1);
      const a2 = await world.propose({ parent: a1.hash, view: 3n });
      const b2 = await world.propose({ parent: b1.hash, view: 4n });
      assert.ok(hashesOf(a2).includes(s1.hashHex) && hashesOf(b2).includes(o1.hashHex));
      const a3 = await world.propose({ parent: a2.hash, view: 5n });
      for (const block of [b1, b2]) await verified(alone, block);
      await verified(alone, b2);
      for (const block of [b1, a1, a2, b2, a3]) await verified(both, block);
      for (const each of [alone, both, world]) {
        await each.blockChain.commit(b2.hash);
        assert.equal(each.pending.size, 0);
      }
      await assert.rejects(world.blockChain.commit(a3.hash), { code: 'unknown_block' });
      // All three worlds commit the next block to the same roots.
      const next = await world.propose({ view: 6n });
      for (const other of [alone, both]) await verified(other, next);
    } finally {
      await alone.remove();
      await both.remove();
    }
  });

  test('a restart forgets pending blocks and continues from the committed ones', async () => {
    const directory = world.directory;
    const other = await ChainWorld.open();
    try {
      for (let round = 0n; round < 4n; round++) {
        world.submit(world.transaction({ nonce: round }));
        const block = await world.propose();
        const child = await world.propose({ parent: block.hash });
        assert.equal(child.transactions.length, 0);
        // A world that was never restarted has the same roots.
        for (const each of [block, child]) await verified(other, each);
        const { hash } = round % 2n === 0n ? block : child;
        for (const each of [world, other]) await each.blockChain.commit(hash);
        await world.propose({ parent: world.chain.tip.hash, view: 1_000n });
        const { height } = world.chain.tip.header;
        await world.close();
        world = await ChainWorld.open({}, directory);
        assert.equal(world.chain.tip.header.height, height);
        assert.equal(world.pending.size, 0);
      }
    } finally {
      await other.remove();
    }
    assert.equal(world.chain.tip.header.height, 6n);
  });

  test(`above ${MAX_FULL_BLOCKS_PER_BRANCH} blocks with transactions only empty blocks are proposed`, async () => {
    let parent = world.chain.tip.hash;
    for (let nonce = 0; nonce < MAX_FULL_BLOCKS_PER_BRANCH + 2; nonce++) {
      world.submit(world.transaction({ nonce: BigInt(nonce) }));
      const block = await world.propose({ parent });
      assert.equal(block.transactions.length, nonce < MAX_FULL_BLOCKS_PER_BRANCH ? 1 : 0);
      parent = block.hash;
    }
    await world.blockChain.commit(parent);
    assert.equal((await world.propose()).transactions.length, 2);
  });

  test(`at most ${MAX_PENDING_BLOCKS} blocks are pending, own and others’, until one is committed`, async () => {
    const source = await ChainWorld.open();
    try {
      const other = await source.propose({ view: 1_000n });
      const own: PendingBlock[] = [];
      for (let view = 1n; view <= MAX_PENDING_BLOCKS; view++) own.push(await world.propose({ view }));
      assert.equal(world.pending.size, MAX_PENDING_BLOCKS);
      await assert.rejects(world.propose({ view: 2_000n }), { code: 'too_many_pending' });
      const verdict = await world.blockChain.verify(encoded(other), contextOf(other));
      assert.equal(verdict.verdict, 'withheld');
      assert.equal(world.pending.size, MAX_PENDING_BLOCKS);
      const last = own.at(-1) ?? assert.fail();
      await world.blockChain.commit(last.hash);
      assert.equal(world.pending.size, 0);
      await world.propose();
    } finally {
      await source.remove();
    }
  });

  test('a branch may grow beyond that limit, because all of it may become final and its siblings can be released', async () => {
    let parent = world.chain.tip.hash;
    for (let count = 0; count < MAX_PENDING_BLOCKS + 2; count++)
      parent = (await world.propose({ parent })).hash;
    assert.equal(world.pending.size, MAX_PENDING_BLOCKS + 2);
    await assert.rejects(world.propose({ view: 2_000n }), { code: 'too_many_pending' });
    const beside = await world.propose({ parent });
    const onIt = await world.propose({ parent: beside.hash });
    world.blockChain.release([beside.hash, new Uint8Array(32)]);
    assert.equal(world.pending.get(onIt.hash), undefined);
    assert.equal(world.pending.size, MAX_PENDING_BLOCKS + 2);
    assert.equal((await verified(world, beside)).header.height, beside.header.height);
    await world.blockChain.commit(parent);
    assert.equal(world.chain.tip.header.height, BigInt(MAX_PENDING_BLOCKS + 2));
    assert.equal(world.pending.size, 1);
  });

  test('the memory of pending blocks grows with their contents and shrinks when they leave', async () => {
    const sizeOf = ({ items, receipts }: PendingBlock) =>
      [...items, ...receipts].reduce((sum, { length }) => sum + length, 0);
    assert.equal(world.pending.bytes, 0);
    world.submit(...[0n, 1n, 2n].map((nonce) => world.transaction({ nonce })));
    const first = await world.propose();
    const withFirst = world.pending.bytes;
    assert.ok(withFirst >= sizeOf(first), `${withFirst} bytes`);
    await verified(world, first);
    assert.equal(world.pending.bytes, withFirst, 'one that is there already takes nothing more');
    world.submit(world.transaction({ from: 1 }));
    const child = await world.propose({ parent: first.hash });
    const withChild = world.pending.bytes;
    assert.ok(withChild >= withFirst + sizeOf(child), `${withChild} bytes`);
    const sibling = await world.propose({ parent: first.hash, view: 50n });
    assert.ok(world.pending.bytes >= withChild + sizeOf(sibling));
    world.pending.drop(sibling);
    assert.equal(world.pending.bytes, withChild);
    await world.blockChain.commit(first.hash);
    assert.equal(world.pending.bytes, withChild - withFirst);
    world.pending.drop(child);
    assert.equal(world.pending.bytes, 0);
  });

  test('lanes, replacements and bundles count from the branch’s state', async () => {
    const first = world.transaction({ from: 3, nonce: 0n });
    world.submit(first);
    const block = await world.propose();
    // The transaction is replaced in the pool after a block of the branch includes it; neither may be drawn on the
    // branch.
    const replacement = world.transaction({ from: 3, nonce: 0n, priorityFee: 50n, maxFee: 5_000n });
    world.submit(replacement, world.transaction({ from: 3, nonce: 1n }));
    const members = [world.transaction({ from: 4, nonce: 1n }), world.transaction({ from: 4, nonce: 2n })];
    const bundle = bundleOf(members, undefined, world.crypto);
    assert.ok(world.pool.admitBundle(bundle, { arrival: 100, receivedMs: 0 }).admitted);
    const opener = world.transaction({ from: 4, nonce: 0n });
    world.submit(opener);
    const child = await world.propose({ parent: block.hash });
    assert.deepEqual(
      new Set(child.transactions.map(({ sender, signed }) => `${sender}/${signed.transaction.nonce}`)),
      new Set([`${first.sender}/1`, `${opener.sender}/0`]),
    );
    // The bundle waits on the tip; after the child it is ready.
    const grandchild = await world.propose({ parent: child.hash });
    assert.deepEqual(
      hashesOf(grandchild),
      members.map(({ hashHex }) => hashHex),
    );
    // A branch without the first block has the replacement.
    assert.ok(hashesOf(await world.propose({ view: 50n })).includes(replacement.hashHex));
    await world.blockChain.commit(grandchild.hash);
    assert.equal(world.pool.size, 0);
  });

  test('a transaction that the branch’s balance cannot pay for stays in the pool', async () => {
    const other = await ChainWorld.open();
    try {
      const balance = storedBalance(world, world.account(5));
      other.submit(other.transaction({ from: 5, maxFee: 2n, amount: balance - MOST_GAS_COST }));
      const block = await verified(world, await other.propose());
      const here = world.transaction({ from: 5, lane: 1 });
      world.submit(here);
      assert.deepEqual(hashesOf(await world.propose({ parent: block.hash, view: 2n })), []);
      assert.notEqual(world.pool.get(here.hashHex), undefined);
      // On the tip it can be included.
      assert.deepEqual(hashesOf(await world.propose({ view: 3n })), [here.hashHex]);
    } finally {
      await other.remove();
    }
  });

  test('transactions that expired or failed on a branch stay in the pool and are drawn on the tip', async () => {
    const block = await world.propose();
    // A block on top of `block` has height 2.
    const expiring = world.transaction({ from: 6, validUntil: 1n });
    world.submit(expiring);
    const bundleOfOne = (arrival: number, more: Parameters<ChainWorld['transaction']>[0]) => {
      const member = world.transaction({ maxFee: 2_000n, ...more });
      const bundle = bundleOf([member], undefined, world.crypto);
      assert.ok(world.pool.admitBundle(bundle, { arrival, receivedMs: 0 }).admitted);
      return { bundle, member };
    };
    const late = bundleOfOne(100, { from: 7, validUntil: 1n });
    // Both bundles use the same nonce; both are drawn, and the block includes the one that pays more.
    const first = bundleOfOne(101, { from: 8, priorityFee: 9n });
    const second = bundleOfOne(102, { from: 8, priorityFee: 3n });
    assert.deepEqual(hashesOf(await world.propose({ parent: block.hash })), [first.member.hashHex]);
    for (const { bundle, member } of [late, first, second]) {
      assert.equal(world.pool.bundle(bundle.hashHex), bundle);
      assert.equal(world.pool.get(member.hashHex)?.ready, true);
    }
    assert.equal(world.pool.get(expiring.hashHex)?.ready, true);
    assert.deepEqual(
      new Set(hashesOf(await world.propose({ view: 50n }))),
      new Set([expiring, late.member, first.member].map(({ hashHex }) => hashHex)),
    );
  });
});

/** A block without transactions, although some wait. */
async function emptyBlock(world: ChainWorld): Promise<PendingBlock> {
  const other = await ChainWorld.open();
  try {
    const block = await other.propose({ view: 3n });
    return await verified(world, block);
  } finally {
    await other.remove();
  }
}
