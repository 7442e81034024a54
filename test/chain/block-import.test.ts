// Certified blocks are executed one ahead of their proofs; a block that fails its proof leaves nothing behind.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, mock, test } from 'node:test';
import type { BlockImport } from '../../src/chain/block-import.js';
import { BlockRejectedError } from '../../src/chain/block-rejection.js';
import { type DecodedBlock, decodeBody } from '../../src/chain/decode-block.js';
import { BlockReader } from '../../src/ledger/block-store.js';
import { ledger } from '../../src/ledger/codecs.js';
import { blockHash } from '../../src/ledger/header.js';
import { decodeStoredReceipt } from '../../src/ledger/stored-receipt.js';
import { deployAction } from '../support/contracts/deploy-action.js';
import { assemble } from '../support/contracts/wasm-assembler.js';
import { ChainWorld, type Sending } from '../support/worlds/chain-world.js';

const BLOCKS = 6;

/** Writes 16 MiB, a slot of 16 KiB after the other. */
const WRITER = assemble({
  imports: ['storage_write'],
  memory: [1],
  functions: [
    {
      name: 'invoke',
      type: '>i',
      code: `
        loop
          i32.const 0; i32.const 64; i32.const 16384; call storage_write
          i32.const 0; i32.const 0; i32.load; i32.const 1; i32.add; i32.store
          i32.const 0; i32.load; i32.const 1024; i32.lt_u; br_if 0
        end
        i32.const 0`,
    },
  ],
});

describe('an import of blocks', () => {
  let source: ChainWorld;
  let blocks: readonly DecodedBlock[];
  let follower: ChainWorld;
  let failWrites: boolean;

  before(async () => {
    source = await ChainWorld.open();
    const sealed: DecodedBlock[] = [];
    for (let nonce = 0n; nonce < BLOCKS; nonce++) {
      source.submit(...[0, 1, 2].map((from) => source.transaction({ from, nonce })));
      sealed.push((await seal(source)).block);
    }
    blocks = sealed;
  });
  after(() => source?.remove());

  beforeEach(async (context) => {
    failWrites = false;
    follower = await ChainWorld.open({
      onWrite: () => {
        if (failWrites) throw new Error('the disk is full');
      },
    });
    assert.ok('after' in context);
    context.after(() => follower.remove());
  });

  async function seal(world: ChainWorld) {
    const { header, hash, items, receipts } = await world.propose();
    await world.blockChain.commit(hash);
    const body = await decodeBody(
      world.crypto,
      items.map((item) => ledger.BlockItem.decode(item)),
    );
    assert.ok('transactions' in body);
    const block: DecodedBlock = { header, hash, ...body };
    return { block, receipts: receipts.map((stored) => decodeStoredReceipt(stored).receipt) };
  }

  /** The chain with one header changed; the headers after it build on the changed one. */
  function withHeader(place: number, change: Partial<DecodedBlock['header']>): readonly DecodedBlock[] {
    const told: DecodedBlock[] = [];
    for (const [index, block] of blocks.entries()) {
      const parent = told.at(-1)?.hash ?? block.header.parent_hash;
      const header = { ...block.header, ...(index === place ? change : {}), parent_hash: parent };
      const hash = blockHash(source.crypto, ledger.BlockHeader.encode(header));
      told.push({ ...block, header, hash });
    }
    return told;
  }

  async function addAll(blockImport: BlockImport, all: readonly DecodedBlock[]): Promise<readonly bigint[]> {
    const committed: bigint[] = [];
    for (const block of all) blockImport.expect(block);
    for (const block of all) {
      await blockImport.add(block, {
        certificate: undefined,
        sync: false,
        onCommitted: ({ header }) => committed.push(header.height),
      });
    }
    await blockImport.settled();
    return committed;
  }

  async function refused(all: readonly DecodedBlock[]): Promise<BlockRejectedError> {
    const blockImport = follower.newImport();
    try {
      await addAll(blockImport, all);
    } catch (error) {
      assert.ok(error instanceof BlockRejectedError, String(error));
      await blockImport.idle();
      await assert.rejects(blockImport.settled(), error);
      return error;
    }
    throw new Error('all of them were taken');
  }

  /**
   * Checks that nothing of later blocks is in the store, in memory or in the proof worker, and that the import can
   * restart.
   */
  async function expectKeptUpTo(height: bigint): Promise<void> {
    assert.equal(follower.chain.tip.header.height, height);
    assert.equal(new BlockReader(follower.store).header(height + 1n), undefined);
    assert.deepEqual([...follower.roots.open], []);
    await addAll(follower.newImport(), blocks.slice(Number(height)));
    assert.deepEqual(follower.chain.tip.hash, blocks.at(-1)?.hash);
  }

  test('imports all blocks in order, and each becomes the tip', async () => {
    const committed = await addAll(follower.newImport(), blocks);
    assert.deepEqual(
      committed,
      blocks.map(({ header }) => header.height),
    );
    assert.deepEqual(follower.chain.tip.hash, source.chain.tip.hash);
    assert.deepEqual([...follower.roots.open], []);
  });

  test('executes the next block while the roots of one are computed, and commits neither before they are known', async () => {
    const { roots } = follower;
    const askFor = roots.blockRoots.bind(roots);
    let second: () => void = () => undefined;
    const secondAsked = new Promise<void>((resolve) => {
      second = resolve;
    });
    const asked: bigint[] = [];
    mock.method(roots, 'blockRoots', async (...given: Parameters<typeof askFor>) => {
      asked.push(given[0].height);
      const answer = await askFor(...given);
      if (given[0].height === 1n) await secondAsked;
      if (given[0].height === 2n) {
        assert.equal(follower.chain.tip.header.height, 0n);
        second();
      }
      return answer;
    });
    await addAll(follower.newImport(), blocks);
    assert.deepEqual(
      asked,
      blocks.map(({ header }) => header.height),
    );
  });

  test('executes nothing on a block that wrote 16 MiB before it is committed', async (t) => {
    const world = await ChainWorld.open();
    t.after(() => world.remove());
    let nonce = 0n;
    const next = async (sending: Sending) => {
      world.submit(world.transaction({ maxFee: 10n ** 9n, nonce: nonce++, ...sending }));
      return seal(world);
    };
    const deployed = await next({ gasLimit: 50_000_000n, action: deployAction(WRITER) });
    const [{ contract } = {}] = deployed.receipts;
    assert.ok(contract !== undefined);
    const call = { contract, input: new Uint8Array(), value: 0n };
    const large = await next({ gasLimit: 400_000_000n, action: { type: 'call', value: call } });
    assert.deepEqual(
      large.receipts.map(({ outcome }) => outcome.type),
      ['success'],
    );
    const after = await next({});
    const tips: bigint[] = [];
    const execute = follower.executor.executeUnshared.bind(follower.executor);
    mock.method(follower.executor, 'executeUnshared', (...given: Parameters<typeof execute>) => {
      tips.push(follower.chain.tip.header.height);
      return execute(...given);
    });
    await addAll(follower.newImport(), [deployed.block, large.block, after.block]);
    // Only the transfer is not shared among workers.
    assert.deepEqual(tips, [large.block.header.height]);
  });

  for (const [member, value] of [
    ['state_root', new Uint8Array(32).fill(1)],
    ['receipts_root', new Uint8Array(32).fill(1)],
    ['history_root', new Uint8Array(32).fill(1)],
    ['gas_used', 1n],
  ] as const) {
    test(`refuses a header with a wrong ${member} and drops the block executed on it`, async () => {
      // The child's base fee follows from the gas used.
      const error = await refused(withHeader(2, { [member]: value }));
      assert.equal(error.rejection.what, member);
      assert.equal(error.height, 3n);
      await expectKeptUpTo(2n);
    });
  }

  test('refuses a bad signature before anything of its block is executed', async () => {
    const [, second] = blocks;
    assert.ok(second !== undefined);
    const items = second.transactions.map(({ signed }) => structuredClone(signed));
    const [, spoilt] = items;
    assert.ok(spoilt !== undefined && 'signature' in spoilt);
    spoilt.signature.value.signature[0] = (spoilt.signature.value.signature[0] ?? 0) ^ 1;
    const body = await decodeBody(
      source.crypto,
      items.map((signed) => ({ type: 'transaction', value: signed }) as never),
    );
    assert.ok('itemsRoot' in body);
    const header = { ...second.header, transactions_root: body.itemsRoot };
    const hash = blockHash(source.crypto, ledger.BlockHeader.encode(header));
    const error = await refused([...blocks.slice(0, 1), { header, hash, ...body }]);
    assert.equal(error.rejection.rule, 'signature');
    assert.equal(error.rejection.what, 'signature of transaction 1');
    await expectKeptUpTo(1n);
  });

  test('refuses a block that does not extend the last one', async () => {
    const error = await refused([...blocks.slice(0, 2), ...blocks.slice(3)]);
    assert.equal(error.height, 4n);
    await expectKeptUpTo(2n);
  });

  test('stops when the store fails and keeps the blocks written so far', async () => {
    const blockImport = follower.newImport();
    await addAll(blockImport, blocks.slice(0, 2));
    failWrites = true;
    await assert.rejects(addAll(blockImport, blocks.slice(2)), /the disk is full/);
    await blockImport.idle();
    failWrites = false;
    await expectKeptUpTo(2n);
  });
});
