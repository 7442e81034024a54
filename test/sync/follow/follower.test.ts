// Blocks from a source are executed and checked like any others, even if they are certified.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type DecodedBlock, decodeBody } from '../../../src/chain/decode-block.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { blockHash } from '../../../src/ledger/header.js';
import type { OpenTransaction, VerifiedTransaction } from '../../../src/ledger/transaction-envelope.js';
import { FollowError } from '../../../src/sync/follow/follow-error.js';
import { applyRange } from '../../../src/sync/follow/follower.js';
import { ChainWorld } from '../../support/worlds/chain-world.js';

const BLOCK_GAS = 500_000_000n;

let source: ChainWorld;
let follower: ChainWorld;
before(async () => {
  source = await ChainWorld.open();
  follower = await ChainWorld.open();
});
after(async () => {
  await source?.remove();
  await follower?.remove();
});

type Sent = VerifiedTransaction & OpenTransaction;

const transfer = (from: number, nonce: bigint, gasLimit: bigint): Sent =>
  source.transaction({ from, nonce, gasLimit });

/** Seals the next block. */
async function seal(transactions: readonly Sent[]): Promise<DecodedBlock> {
  source.submit(...transactions);
  const { header, hash, items } = await source.propose();
  await source.blockChain.commit(hash);
  const body = await decodeBody(
    source.crypto,
    items.map((item) => ledger.BlockItem.decode(item)),
  );
  assert.ok('transactions' in body);
  assert.equal(body.transactions.length, transactions.length);
  return { header, hash, ...body };
}

/** Another node's execution of a block with other transactions. */
async function withOthers(
  block: DecodedBlock,
  transactions: readonly OpenTransaction[],
): Promise<DecodedBlock> {
  const body = await decodeBody(
    source.crypto,
    transactions.map(({ signed }) => ({ type: 'transaction', value: signed })),
  );
  assert.ok('itemsRoot' in body);
  const header = { ...block.header, transactions_root: body.itemsRoot };
  return { header, hash: blockHash(source.crypto, ledger.BlockHeader.encode(header)), ...body };
}

/** Imports a foreign block completely. */
async function apply(block: DecodedBlock): Promise<void> {
  // An import that refused a block accepts no more blocks.
  const blockImport = follower.newImport();
  await applyRange(
    {
      blockImport,
      onApplied: () => undefined,
      signal: new AbortController().signal,
    },
    { blocks: [block], certificates: new Map(), descendantCertificate: undefined, end: block, bodyBytes: 0 },
  );
  await blockImport.settled();
}

test('limits that together exceed a block are valid if the gas used leaves room for each', async () => {
  const limits = [BLOCK_GAS, BLOCK_GAS - 30_000n, BLOCK_GAS - 60_000n];
  await apply(await seal(limits.map((limit, sender) => transfer(sender, 0n, limit))));
  assert.equal(follower.chain.tip.header.height, 1n);
  assert.equal(follower.chain.tip.header.gas_used, 90_000n);
});

test('a transaction whose limit exceeds the gas left by those before it is refused with its block', async () => {
  const first = transfer(0, 1n, 400_000_000n);
  const fits = await seal([first, transfer(1, 1n, BLOCK_GAS - 25_000n)]);
  for (const limit of [BLOCK_GAS - 24_999n, BLOCK_GAS]) {
    const block = await withOthers(fits, [first, transfer(1, 1n, limit)]);
    await assert.rejects(apply(block), (error: unknown) => {
      assert.ok(error instanceof FollowError);
      assert.equal(error.code, 'diverged');
      assert.match(error.message, /cannot be included: block_full/);
      return true;
    });
    assert.equal(follower.chain.tip.header.height, 1n);
  }
  await apply(fits);
  assert.equal(follower.chain.tip.header.height, 2n);
});
