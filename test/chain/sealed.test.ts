// Sealed transactions through propose, verify and commit: inclusion, keys, openings, and their stored records.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { PendingBlock } from '../../src/chain/pending-blocks.js';
import type { LedgerReceipt } from '../../src/generated/ledger.js';
import { BlockReader } from '../../src/ledger/block-store.js';
import { GAS, intrinsicGas } from '../../src/ledger/gas.js';
import { addressHex } from '../../src/ledger/hex-types.js';
import { slotPrice } from '../../src/ledger/opening-slots.js';
import { positionsUnder } from '../../src/ledger/position-index.js';
import { envelopeName, openingsName, recordKey } from '../../src/ledger/state-keys.js';
import { decodeStoredReceipt } from '../../src/ledger/stored-receipt.js';
import type { VerifiedTransaction } from '../../src/ledger/transaction-envelope.js';
import { SEALED_GAS, Sealing } from '../support/crypto/sealing.js';
import { verified } from '../support/worlds/block-transfer.js';
import { ChainWorld } from '../support/worlds/chain-world.js';

describe('sealed transactions', () => {
  let world: ChainWorld;
  /** Verifies the proposals of `world`. */
  let other: ChainWorld;
  let sealing: Sealing;
  before(async () => {
    world = await ChainWorld.open();
    other = await ChainWorld.open();
    sealing = await Sealing.of(world);
  });
  after(async () => {
    await world?.remove();
    await other?.remove();
  });

  const keyOf = (height: bigint) => sealing.key(height);
  const receiptsOf = ({ receipts }: PendingBlock): LedgerReceipt[] =>
    receipts.map((stored) => decodeStoredReceipt(stored).receipt);
  const next = () => world.chain.tip.header.height + 1n;
  const balance = (account: number) =>
    world.chain.accounts.account(addressHex(world.account(account))).balance;

  /** Proposes and commits a block, has the other world verify and commit it, and compares. */
  async function advance(options: Parameters<ChainWorld['propose']>[0] = { keyOf }): Promise<PendingBlock> {
    const block = await world.propose(options);
    await verified(other, block);
    await world.blockChain.commit(block.hash);
    await other.blockChain.commit(block.hash);
    return block;
  }

  async function advanceTo(height: bigint): Promise<void> {
    while (world.chain.tip.header.height < height) await advance();
  }

  describe('envelopes', () => {
    test('an envelope is included, waits, is opened by the key of its height, and pays for the gas used', async () => {
      const opensAt = next() + 2n;
      const envelope = sealing.envelope({ from: 1, opensAt, amount: 77n, to: world.account(2) });
      const [payer, payee] = [balance(1), balance(2)];
      world.submit(envelope);
      assert.deepEqual(
        [world.pool.stats().sealed.size, world.pool.stats().sealed.nextOpenHeight],
        [1, opensAt],
      );
      const included = await advance();
      const [inclusion] = receiptsOf(included);
      const gas = intrinsicGas(envelope.signed.transaction) + GAS.lane_open;
      const slot = slotPrice(included.header);
      assert.equal(slot, 2_000_000n);
      const fee = gas * (included.header.base_fee + 1n) + slot;
      assert.deepEqual(
        [inclusion?.tx_hash, inclusion?.outcome.type, inclusion?.gas_used, inclusion?.fee],
        [envelope.hash, 'success', gas, fee],
      );
      assert.equal(included.header.gas_used, gas);
      assert.equal(balance(1), payer - SEALED_GAS * 1_000n - slot);
      assert.equal(balance(2), payee);
      assert.equal(world.pool.stats().sealed.size, 0);
      const key = recordKey(world.crypto, envelopeName(opensAt, 0));
      assert.notEqual(world.store.get('state', key), undefined);

      await advanceTo(opensAt);
      assert.equal(balance(2), payee);
      const opened = await advance();
      const [opening] = receiptsOf(opened);
      assert.equal(opened.keys.length, 1);
      assert.deepEqual(
        [opening?.tx_hash, opening?.outcome.type, opening?.gas_used],
        [envelope.hash, 'success', 0n],
      );
      assert.equal(balance(2), payee + 77n);
      assert.equal(balance(1), payer - fee - 77n);
      assert.equal(world.store.get('state', key), undefined);
      assert.equal(world.store.get('state', recordKey(world.crypto, openingsName())), undefined);

      const reader = new BlockReader(world.store);
      const places = [reader.positionOf(envelope.hash), reader.openingOf(envelope.hash)];
      assert.deepEqual(places, [
        { height: included.header.height, index: 0 },
        { height: opened.header.height, index: 0 },
      ]);
      assert.deepEqual(reader.receiptPositionOf(envelope.hash), places[1]);
      const end = { height: next(), index: 0 };
      const listed = [...positionsUnder(world.store, 'by_sender', world.account(1), end)];
      assert.deepEqual(listed, [places[1], places[0]]);
      assert.equal(
        reader.candidate({ height: opened.header.height, index: 0 })?.transaction.action.type,
        'transfer',
      );
      assert.equal(
        reader.candidate({ height: included.header.height, index: 0 })?.transaction.action.type,
        'sealed',
      );
    });

    test('a due envelope keeps everything but due items out of blocks until its key is known', async () => {
      const opensAt = next() + 2n;
      world.submit(sealing.envelope({ from: 3, opensAt }));
      await advanceTo(opensAt);
      world.submit(world.transaction({ from: 4 }));
      const without = await advance({});
      assert.deepEqual(without.items, []);
      const withKey = await advance();
      assert.deepEqual(
        [withKey.keys.length, withKey.openings.length, withKey.transactions.length],
        [1, 1, 1],
      );
      assert.deepEqual(
        receiptsOf(withKey).map(({ tx_hash }) => tx_hash),
        [withKey.openings[0]?.hash, withKey.transactions[0]?.hash],
      );
      const place = new BlockReader(world.store).positionOf(
        (withKey.transactions[0] as VerifiedTransaction).hash,
      );
      assert.equal(place?.index, 1);
    });
  });
});
