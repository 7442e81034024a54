// Contracts on branches: deployed on one branch only, and called on both.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { BlockExecutor } from '../../src/chain/block-executor.js';
import { nextBlock } from '../../src/chain/next-block.js';
import type { PendingBlock } from '../../src/chain/pending-blocks.js';
import { contractAddress } from '../../src/crypto/address.js';
import { ExecutionPool } from '../../src/execution/pool/execution-pool.js';
import type { StateWrite } from '../../src/execution/state-writes.js';
import { slotKey } from '../../src/ledger/state-keys.js';
import { decodeStoredReceipt } from '../../src/ledger/stored-receipt.js';
import type { VerifiedTransaction } from '../../src/ledger/transaction-envelope.js';
import { valueOfRaw } from '../../src/storage/state.js';
import type { StoreReader } from '../../src/storage/store.js';
import { deployOf } from '../support/actions.js';
import { counterCode } from '../support/contracts/small-contracts.js';
import { hex } from '../support/hex.js';
import { contextOf, verified } from '../support/worlds/block-transfer.js';
import { ChainWorld } from '../support/worlds/chain-world.js';

const CODE = counterCode(new Uint8Array(32).fill(1), Buffer.from('no'));
const SLOT = new Uint8Array(32);
const GAS = 20_000_000n;

const textOf = (writes: readonly StateWrite[]) =>
  writes.map(({ key, value }) => `${hex(key)} ${value && hex(value)}`);

/** The entries of the indexes, which no hash of a block covers. */
function indexesOf(store: StoreReader): string[] {
  const columns = ['by_sender', 'by_contract', 'by_recipient', 'logs', 'by_holder'] as const;
  return columns.flatMap((column) =>
    Array.from(store.scan(column, {}), ([key, value]) => `${column} ${hex(key)} ${hex(value)}`),
  );
}

function stepInput(step: bigint): Uint8Array {
  const input = Buffer.alloc(12);
  input.writeBigUInt64LE(step, 4);
  return input;
}

describe('a contract deployed on one branch and not on the other', () => {
  /** The proposer, and a world that only verifies. */
  let worlds: [ChainWorld, ChainWorld];
  let counter: Uint8Array;
  let blocks: Record<'with1' | 'with2' | 'with3' | 'without1' | 'without2', PendingBlock>;
  let deployment: VerifiedTransaction;

  const call = (from: number, nonce: bigint, step: bigint) =>
    worlds[0].transaction({
      from,
      nonce,
      gasLimit: GAS,
      action: { type: 'call', value: { contract: counter, input: stepInput(step), value: 0n } },
    });

  /** Status and output of a block's only transaction. */
  function ending({ receipts: [stored], transactions }: PendingBlock): [string, string] {
    assert.equal(transactions.length, 1);
    const { receipt } = decodeStoredReceipt(stored ?? assert.fail());
    return [receipt.outcome.type, hex(receipt.output)];
  }

  const counted = (count: number) => ['success', `${hex(Uint8Array.of(count))}${'00'.repeat(7)}`];

  /** The counter's value in the store. */
  function stored({ store, crypto }: ChainWorld): bigint | undefined {
    const raw = store.get('state', slotKey(crypto, counter, SLOT));
    return raw === undefined ? undefined : Buffer.from(valueOfRaw(raw)).readBigUInt64LE();
  }

  async function restart(): Promise<void> {
    for (const [place, { directory }] of [...worlds.entries()]) {
      await worlds[place]?.close();
      worlds[place] = await ChainWorld.open({}, directory);
    }
  }

  /** Commits a block in both worlds after checking that both execute it alike. */
  async function commit({ hash }: PendingBlock): Promise<void> {
    for (const world of worlds) await world.blockChain.commit(hash);
    const [one, other] = worlds.map(({ chain }) => chain.tip);
    assert.equal(hex(one?.hash ?? assert.fail()), hex(other?.hash ?? assert.fail()));
    const [indexed, verified] = worlds.map(({ store }) => indexesOf(store));
    assert.deepEqual(indexed, verified);
  }

  /** Seals a transaction in a block on the tip, which both worlds commit. */
  async function seal(transaction: VerifiedTransaction): Promise<PendingBlock> {
    const [proposing, verifying] = worlds;
    proposing.submit(transaction);
    const block = await proposing.propose({ view: 100n + proposing.chain.tip.header.height });
    await verified(verifying, block);
    await commit(block);
    return block;
  }

  async function open(): Promise<void> {
    worlds = [await ChainWorld.open({ workers: 2 }), await ChainWorld.open()];
    const [world, other] = worlds;
    counter = contractAddress(world.crypto, world.account(0), 0n);
    deployment = world.transaction({ gasLimit: GAS, action: deployOf(CODE) });
    const [five, three] = [call(1, 0n, 5n), call(2, 0n, 3n)];
    const transfer = world.transaction({ from: 3 });
    const only = (transaction: VerifiedTransaction, parent: PendingBlock | undefined, view: bigint) => {
      for (const each of [deployment, five, three, transfer]) {
        world.pool.drop(each.hashHex, 'evicted', 'not in this one');
      }
      world.submit(transaction);
      return world.propose({ parent: parent?.hash ?? world.chain.tip.hash, view });
    };
    // The calls alternate, because execution on one branch must not affect the other.
    const with1 = await only(deployment, undefined, 1n);
    const without1 = await only(transfer, undefined, 2n);
    const with2 = await only(five, with1, 3n);
    const without2 = await only(five, without1, 4n);
    const with3 = await only(three, with2, 5n);
    blocks = { with1, with2, with3, without1, without2 };
    for (const block of [without1, with1, without2, with2, with3]) await verified(other, block);
  }

  async function remove(): Promise<void> {
    for (const world of worlds) await world.remove();
  }

  describe('whose own branch becomes final', () => {
    before(open);
    after(remove);

    test('runs on its branch only', () => {
      const { with1, with2, with3, without2 } = blocks;
      assert.equal(ending(with1)[0], 'success');
      assert.deepEqual(ending(with2), counted(5));
      assert.deepEqual(ending(with3), counted(8));
      assert.notEqual(ending(without2)[0], 'success');
      assert.deepEqual(worlds.map(stored), [undefined, undefined]);
    });

    test('runs in workers that have not seen its deployment', async () => {
      const { with1, with2 } = blocks;
      const [{ chain, store, crypto, pending }] = worlds;
      const base = nextBlock(
        pending.parent(with1.hash) ?? assert.fail(),
        contextOf(with2),
        with2.header.timestamp_ms,
      );
      const candidates = { transactions: with2.transactions, bundles: [] };
      for (const isShared of [true, false]) {
        const setup = { native: worlds[0].native, store: store.handle };
        const workers = new ExecutionPool({ setup, workers: 1 });
        try {
          const sharing = { workers, predictions: { of: () => undefined } };
          const executor = isShared
            ? new BlockExecutor(chain.accounts, store, crypto, workers, sharing)
            : new BlockExecutor(chain.accounts, store, crypto, workers);
          const { storedReceipts, writes } = await executor.execute(base, candidates);
          assert.deepEqual(storedReceipts.map(hex), with2.receipts.map(hex));
          assert.deepEqual(textOf(writes), textOf(with2.executed.writes));
        } finally {
          await workers.stop();
        }
      }
    });

    test('exists once its branch is committed, and after a restart', async () => {
      await commit(blocks.with2);
      assert.deepEqual(worlds.map(stored), [5n, 5n]);
      await commit(blocks.with3);
      await restart();
      assert.deepEqual(worlds.map(stored), [8n, 8n]);
      assert.deepEqual(ending(await seal(call(4, 0n, 2n))), counted(10));
      assert.deepEqual(worlds.map(stored), [10n, 10n]);
    });
  });

  describe('whose branch is given up', () => {
    before(open);
    after(remove);

    test('is absent once the other branch is committed, until it is deployed after a restart', async () => {
      await commit(blocks.without2);
      await restart();
      assert.deepEqual(worlds.map(stored), [undefined, undefined]);
      assert.notEqual(ending(await seal(call(4, 0n, 2n)))[0], 'success');
      assert.equal(ending(await seal(deployment))[0], 'success');
      assert.deepEqual(ending(await seal(call(4, 1n, 2n))), counted(2));
      assert.deepEqual(worlds.map(stored), [2n, 2n]);
    });
  });
});
