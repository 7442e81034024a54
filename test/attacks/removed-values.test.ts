// Contracts that fill blocks with removals of large values: removals pay per byte, so a block holds few of them.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { PendingBlock } from '../../src/chain/pending-blocks.js';
import { DEV_GAS_LIMIT } from '../../src/ledger/dev-genesis.js';
import { decodeStoredReceipt } from '../../src/ledger/stored-receipt.js';
import { deployAction } from '../support/contracts/deploy-action.js';
import { assemble } from '../support/contracts/wasm-assembler.js';
import { perTier } from '../support/sweep.js';
import { verified } from '../support/worlds/block-transfer.js';
import { ChainWorld, type Sending } from '../support/worlds/chain-world.js';

const VALUE_BYTES = 16_384;
const VALUES = perTier(500, 1_700);
/** Gas per byte written, replaced or removed. */
const BYTE_GAS = 16;
const MIB = 1024 * 1024;
/** Memory per removed byte: worker, transfer, block, batch and the store's memtable, times two. */
const MEMORY_PER_BYTE = 14;
/** Garbage that the threads have not collected yet exceeds the memory of few values: up to 150 MiB, by its timing. */
const LEAST_LIMIT = 192 * MIB;

/** Iterates over the slots between the input's first two le32; removes each, or writes 16 KiB if the third le32 is 0. */
const code = assemble({
  imports: ['input_read', 'storage_write', 'storage_remove'],
  memory: [1],
  functions: [
    {
      name: 'invoke',
      type: '>i',
      code: `
        i32.const 64; i32.const 0; i32.const 12; call input_read; drop
        i32.const 0; i32.const 64; i32.load; i32.store
        loop
          i32.const 72; i32.load
          if; i32.const 0; call storage_remove; drop
          else; i32.const 0; i32.const 128; i32.const ${VALUE_BYTES}; call storage_write; end
          i32.const 0; i32.const 0; i32.load; i32.const 1; i32.add; i32.store
          i32.const 0; i32.load; i32.const 68; i32.load; i32.lt_u; br_if 0
        end
        i32.const 0`,
    },
  ],
});

describe('blocks of removals of large values', () => {
  let sealer: ChainWorld;
  let verifier: ChainWorld;
  let contract: Uint8Array;
  let nonce = 0n;
  before(async () => {
    sealer = await ChainWorld.open();
    verifier = await ChainWorld.open();
    const deployed = await advance({ gasLimit: 50_000_000n, action: deployAction(code) });
    const [receipt] = receiptsOf(deployed);
    contract = receipt?.contract ?? assert.fail(JSON.stringify(receipt?.outcome));
  });
  after(async () => {
    await sealer?.remove();
    await verifier?.remove();
  });

  const receiptsOf = ({ receipts }: PendingBlock) =>
    receipts.map((stored) => decodeStoredReceipt(stored).receipt);

  async function advance(sending: Sending): Promise<PendingBlock> {
    sealer.submit(sealer.transaction({ maxFee: 10n ** 9n, nonce: nonce++, ...sending }));
    const block = await sealer.propose();
    await verified(verifier, block);
    await sealer.blockChain.commit(block.hash);
    await verifier.blockChain.commit(block.hash);
    return block;
  }

  const go = (from: number, to: number, removes: boolean, gasLimit = DEV_GAS_LIMIT) =>
    advance({
      gasLimit,
      action: {
        type: 'call',
        value: {
          contract,
          value: 0n,
          input: new Uint8Array(Uint32Array.of(from, to, removes ? 1 : 0).buffer),
        },
      },
    });

  function replacedBytes({ executed }: PendingBlock): number {
    return executed.writes.reduce((sum, { previous }) => sum + (previous?.length ?? 0), 0);
  }

  test('remove no more bytes than their gas pays for and use memory in proportion', async () => {
    const written = await go(0, VALUES, false);
    assert.deepEqual(
      receiptsOf(written).map(({ outcome }) => outcome.type),
      ['success'],
    );
    const before = process.memoryUsage().rss;
    let most = 0;
    const sampling = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss - before);
    }, 5);
    const removed = await go(0, VALUES, true);
    clearInterval(sampling);
    assert.deepEqual(
      receiptsOf(removed).map(({ outcome }) => outcome.type),
      ['success'],
    );
    const bytes = replacedBytes(removed);
    assert.ok(bytes >= VALUES * VALUE_BYTES, `${bytes} bytes`);
    assert.ok(
      Number(removed.header.gas_used) >= BYTE_GAS * VALUES * VALUE_BYTES,
      `${removed.header.gas_used} gas`,
    );
    assert.ok(bytes <= Number(DEV_GAS_LIMIT) / BYTE_GAS, `${bytes} bytes in one block`);
    const limit = Math.max(MEMORY_PER_BYTE * bytes, LEAST_LIMIT);
    assert.ok(most < limit, `${(most / MIB).toFixed(0)} MiB, expected less than ${(limit / MIB).toFixed(0)}`);
  });

  test('change nothing when gas runs out midway', async () => {
    const values = 300;
    await go(0, values, false);
    const gasLimit = BigInt((values / 2) * BYTE_GAS * VALUE_BYTES);
    const failed = await go(0, values, true, gasLimit);
    assert.deepEqual(
      receiptsOf(failed).map(({ outcome, gas_used }) => [outcome.type, gas_used]),
      [['out_of_gas', gasLimit]],
    );
    assert.ok(replacedBytes(failed) < VALUE_BYTES, `${replacedBytes(failed)} bytes`);
  });
});
