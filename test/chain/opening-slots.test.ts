// The price of opening slots on a chain: headers, fees, balances, and what a block takes.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Chain } from '../../src/chain/chain.js';
import { blockAt, storedTip } from '../../src/chain/open-chain.js';
import type { PendingBlock } from '../../src/chain/pending-blocks.js';
import type { LedgerReceipt } from '../../src/generated/ledger.js';
import { ledger } from '../../src/ledger/codecs.js';
import { MAX_SLOTS } from '../../src/ledger/constants.js';
import { addressHex } from '../../src/ledger/hex-types.js';
import { slotPrice } from '../../src/ledger/opening-slots.js';
import { envelopeName, recordKey } from '../../src/ledger/state-keys.js';
import { decodeStoredReceipt } from '../../src/ledger/stored-receipt.js';
import { valueOfRaw } from '../../src/storage/state.js';
import { Sealing } from '../support/crypto/sealing.js';
import { contextOf, encoded, verified } from '../support/worlds/block-transfer.js';
import { ChainWorld } from '../support/worlds/chain-world.js';

describe('opening slots', () => {
  let world: ChainWorld;
  /** Verifies the proposals of `world`. */
  let other: ChainWorld;
  let sealing: Sealing;
  beforeEach(async () => {
    world = await ChainWorld.open();
    other = await ChainWorld.open();
    sealing = await Sealing.of(world);
  });
  afterEach(async () => {
    await world.remove();
    await other.remove();
  });

  const keyOf = (height: bigint) => sealing.key(height);
  const receiptsOf = ({ receipts }: PendingBlock): LedgerReceipt[] =>
    receipts.map((stored) => decodeStoredReceipt(stored).receipt);
  const next = () => world.chain.tip.header.height + 1n;
  const balance = (account: number) =>
    world.chain.accounts.account(addressHex(world.account(account))).balance;

  async function advance(): Promise<PendingBlock> {
    const block = await world.propose({ keyOf });
    await verified(other, block);
    await world.blockChain.commit(block.hash);
    await other.blockChain.commit(block.hash);
    return block;
  }

  /** The sum of all balances, which only burning lowers. */
  function supply(): bigint {
    const { genesis, accounts } = world.chain;
    const proposer = genesis.validator_set.validators[0]?.address ?? assert.fail();
    const names = new Set([...genesis.accounts.map(({ address }) => address), proposer].map(addressHex));
    return [...names].reduce((sum, name) => sum + accounts.account(name).balance, 0n);
  }

  test('a header carries the excess that its parent left, also on a branch and after a restart', async () => {
    world.submit(sealing.dud({ from: 1, opensAt: 50n }, 16));
    const full = await advance();
    assert.deepEqual([full.header.seal_excess, full.slots, world.chain.tip.slots], [0n, 16, 16]);
    // The same tip, read from the store.
    const { chain, store, crypto } = world;
    const tip = storedTip(store) ?? assert.fail();
    const reopened = new Chain({
      store,
      crypto,
      genesis: chain.genesis,
      genesisBlock: blockAt(store, 0n),
      tip,
    });
    assert.equal(reopened.tip.slots, 16);
    world.submit(sealing.dud({ from: 2, opensAt: 51n }, 3));
    const second = await world.propose({ keyOf });
    const third = await world.propose({ keyOf, parent: second.hash });
    assert.deepEqual(
      [second, third].map(({ header }) => header.seal_excess),
      [8n, 3n],
    );
    for (const block of [second, third]) await verified(other, block);
    for (const each of [world, other]) await each.blockChain.commit(third.hash);
    const fourth = await advance();
    assert.deepEqual([fourth.header.seal_excess, fourth.slots], [0n, 0]);
  });

  test('a header whose excess differs from what its parent left is invalid', async () => {
    world.submit(sealing.dud({ from: 1, opensAt: 50n }, 16));
    await advance();
    const block = await world.propose({ keyOf });
    for (const excess of [0n, 7n, 9n, 2n ** 64n - 1n]) {
      const header = { ...block.header, seal_excess: excess };
      const verdict = await other.blockChain.verify(encoded({ ...block, header }), contextOf(block));
      assert.deepEqual(
        [verdict.verdict, verdict.verdict === 'invalid' && verdict.rule],
        ['invalid', 'seal_excess'],
        String(excess),
      );
    }
  });

  test('inclusion burns slots × price of its own block, exactly, and balances are conserved', async () => {
    // Seven full blocks double the price of a slot.
    for (let nonce = 0n; nonce < 7n; nonce++) {
      world.submit(sealing.dud({ from: 1, nonce, opensAt: 100n + nonce }, 16));
      await advance();
    }
    const [payer, payee, total] = [balance(2), balance(3), supply()];
    const opensAt = next() + 2n;
    const gasLimit = 2_020_000n + 2n * (world.chain.genesis.gas_limit / 64n);
    const envelope = sealing.envelope({ from: 2, opensAt, gasLimit, amount: 5n, to: world.account(3) });
    world.submit(envelope);
    const included = await advance();
    const price = slotPrice(included.header);
    assert.deepEqual([included.header.seal_excess, price], [56n, 4_000_000n]);
    assert.equal(included.slots, 2);
    const [inclusion = assert.fail()] = receiptsOf(included);
    assert.equal(inclusion.fee, inclusion.gas_used * 2n + 2n * price);
    assert.equal(balance(2), payer - gasLimit * 1_000n - 2n * price);
    const raw = world.store.get('state', recordKey(world.crypto, envelopeName(opensAt, 0))) ?? assert.fail();
    const { deposit } = ledger.PendingEnvelope.decode(valueOfRaw(raw));
    assert.equal(deposit, gasLimit * 1_000n - inclusion.gas_used * 2n);
    assert.equal(supply(), total - inclusion.gas_used - 2n * price - deposit);
    while (world.chain.tip.header.height < opensAt) await advance();
    const opened = await advance();
    const [opening = assert.fail()] = receiptsOf(opened);
    assert.equal(opening.outcome.type, 'success');
    assert.equal(balance(2), payer - inclusion.fee - opening.fee - 5n);
    assert.equal(balance(3), payee + 5n);
    assert.equal(supply(), total - (inclusion.gas_used + opening.gas_used) - 2n * price);
  });

  test('an envelope waits while the price is above its max_seal_fee, and gets in once it has fallen', async () => {
    for (let nonce = 0n; nonce < 7n; nonce++) {
      world.submit(sealing.dud({ from: 1, nonce, opensAt: 100n + nonce }, 16));
      await advance();
    }
    const waiting = sealing.dud({ from: 2, opensAt: 60n, maxSealFee: 3_999_999n }, 1);
    world.submit(waiting);
    // A chain without idle blocks must make one.
    assert.equal(world.pool.hasReady(), false);
    assert.equal(world.pool.heldBackFee(), 1n);
    assert.equal((await advance()).transactions.length, 0);
    assert.equal(world.pool.get(waiting.hashHex)?.ready, true);
    // The empty block lowered the excess to 48, at which the exponential rounds to 1.
    const later = await advance();
    assert.deepEqual([later.header.seal_excess, slotPrice(later.header)], [48n, 2_000_000n]);
    assert.equal(later.transactions[0]?.hashHex, waiting.hashHex);
  });

  test('a block takes 16 slots; what it leaves waits for the next one', async () => {
    const big = sealing.dud({ from: 1, opensAt: 50n, priorityFee: 10n }, 16);
    const small = sealing.dud({ from: 2, opensAt: 50n, priorityFee: 1n }, 1);
    world.submit(big, small);
    const first = await advance();
    assert.deepEqual([first.transactions[0]?.hashHex, first.slots], [small.hashHex, 1]);
    // The height of the larger one has only 15 slots left: it leaves the pool with the reason.
    assert.equal((await advance()).transactions.length, 0);
    assert.equal(world.pool.removal(big.hashHex)?.reason, 'pool_full');
    const [one, two] = [50n, 51n].map((opensAt, place) => sealing.dud({ from: 3 + place, opensAt }, 9));
    assert.ok(one !== undefined && two !== undefined);
    world.submit(one, two);
    assert.deepEqual(
      [
        (await advance()).slots,
        (await advance()).slots,
        world.openings.reservedAt(50n),
        world.openings.reservedAt(51n),
      ],
      [9, 9, 10, 9],
    );
  });

  test('the tip lists the slots reserved at each height until they open', async () => {
    const opensAt = next() + 4n;
    world.submit(sealing.dud({ from: 1, opensAt }, 5), sealing.dud({ from: 2, opensAt }, 11));
    await advance();
    assert.equal(world.openings.reservedAt(opensAt), MAX_SLOTS);
    assert.equal(world.pool.precheck(sealing.dud({ from: 3, opensAt }, 1))?.reason, 'pool_full');
    while (world.chain.tip.header.height <= opensAt) await advance();
    assert.equal(world.openings.reservedAt(opensAt), 0);
  });
});
