// Squatting: an attacker reserves opening slots to keep others out, so that the keys that its own envelopes cause to be
// released open theirs.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { PendingBlock } from '../../src/chain/pending-blocks.js';
import { MAX_SLOTS } from '../../src/ledger/constants.js';
import { addressHex } from '../../src/ledger/hex-types.js';
import { nextSlotPrice, slotPrice } from '../../src/ledger/opening-slots.js';
import { Sealing } from '../support/crypto/sealing.js';
import { verified } from '../support/worlds/block-transfer.js';
import { ChainWorld } from '../support/worlds/chain-world.js';

const SQUATTER = 1;
const VICTIM = 2;

let world: ChainWorld;
let sealing: Sealing;
beforeEach(async () => {
  world = await ChainWorld.open();
  sealing = await Sealing.of(world);
});
afterEach(() => world.remove());

const balance = (account: number) => world.chain.accounts.account(addressHex(world.account(account))).balance;
const next = () => world.chain.tip.header.height + 1n;

async function advance(): Promise<PendingBlock> {
  const block = await world.propose({ keyOf: (height) => sealing.key(height) });
  await world.blockChain.commit(block.hash);
  return block;
}

/** The first height from `soonest` on with a free slot, as a client chooses it. */
function heightWithRoom(soonest: bigint): bigint {
  let height = soonest;
  while (world.openings.reservedAt(height) >= MAX_SLOTS) height += 1n;
  return height;
}

test('after 200 blocks of full reservation a slot costs over 1,000 times as much, and whoever pays gets in', async () => {
  const first = nextSlotPrice(world.chain.tip.header, world.chain.tip.slots);
  const spent = balance(SQUATTER);
  let burned = 0n;
  for (let nonce = 0n; nonce < 200n; nonce++) {
    world.submit(sealing.dud({ from: SQUATTER, nonce, opensAt: 400n + nonce }, MAX_SLOTS));
    const { header, slots } = await advance();
    assert.equal(slots, MAX_SLOTS);
    burned += BigInt(MAX_SLOTS) * slotPrice(header);
  }
  const { header, slots } = world.chain.tip;
  const price = nextSlotPrice(header, slots);
  assert.ok(price > 1_000n * first, `${price / first}`);
  assert.ok(spent - balance(SQUATTER) > burned);
  // The squatter goes on; the honest envelope offers no more than the price, and a tip that is higher per slot.
  world.submit(
    sealing.dud({ from: SQUATTER, nonce: 200n, opensAt: 600n, priorityFee: 15n }, MAX_SLOTS),
    sealing.envelope({ from: VICTIM, opensAt: next() + 2n, maxSealFee: price, amount: 5n }),
  );
  const payee = balance(9);
  const included = await advance();
  assert.deepEqual(
    included.transactions.map(({ sender }) => sender),
    [addressHex(world.account(VICTIM))],
  );
  for (let block = 0; block < 3; block++) await advance();
  assert.equal(balance(9), payee + 5n);
});

test('40 envelopes of a quarter of a block each, one a height, do not keep out a victim that pays more', async () => {
  const other = await ChainWorld.open();
  try {
    const soonest = next() + 8n;
    for (let count = 0n; count < 40n; count++) {
      world.submit(sealing.dud({ from: SQUATTER, nonce: count, opensAt: soonest + count }, MAX_SLOTS));
    }
    const seen: PendingBlock[] = [];
    const step = async () => {
      const block = await advance();
      await verified(other, block);
      await other.blockChain.commit(block.hash);
      seen.push(block);
    };
    const payee = balance(9);
    const priorityFee = 1_000n;
    const sent = { from: VICTIM, maxFee: 2_000n, priorityFee, amount: 5n };
    // All heights of the squatter are still free, but its envelopes are in the pool: the higher tip decides.
    const opensAt = [heightWithRoom(next() + 8n)];
    world.submit(sealing.envelope({ ...sent, opensAt: opensAt[0] ?? 0n }));
    await step();
    for (let block = 0; block < 4; block++) await step();
    // By now the squatter has reserved heights; a second envelope goes to the first one with room.
    opensAt.push(heightWithRoom(next() + 8n));
    world.submit(sealing.envelope({ ...sent, nonce: 1n, opensAt: opensAt[1] ?? 0n }));
    await step();
    for (const [place, index] of [0, 5].entries()) {
      const { transactions } = seen[index] ?? assert.fail();
      assert.equal(transactions[0]?.sender, addressHex(world.account(VICTIM)), `envelope ${place}`);
    }
    while (opensAt.some((height) => world.chain.tip.header.height <= height)) await step();
    assert.equal(balance(9), payee + 10n);
  } finally {
    await other.remove();
  }
});

for (const slots of [9, 6, 11]) {
  test(`300 envelopes of ${slots} slots at different heights leave the rest of each block to a victim without a tip`, async () => {
    await world.remove();
    // The lanes of three accounts stand for those of many.
    world = await ChainWorld.open({ limits: { maxPendingLanes: 100 } });
    sealing = await Sealing.of(world);
    for (let count = 0; count < 300; count++) {
      const place = { from: 3 + (count % 3), lane: Math.floor(count / 3), opensAt: 500n + BigInt(count) };
      world.submit(sealing.dud({ ...place, maxSealFee: 10n ** 12n }, slots));
    }
    for (let nonce = 0n; nonce < 3n; nonce++) {
      const { header, slots: before } = world.chain.tip;
      const maxSealFee = nextSlotPrice(header, before);
      const sent = { from: VICTIM, nonce, priorityFee: 0n, maxSealFee, opensAt: next() + 8n };
      const envelope = sealing.dud(sent, 1);
      world.submit(envelope);
      const { transactions, slots: reserved } = await advance();
      assert.ok(transactions.some(({ hashHex }) => hashHex === envelope.hashHex));
      assert.equal(reserved, Math.floor(MAX_SLOTS / slots) * slots + 1);
    }
  });
}
