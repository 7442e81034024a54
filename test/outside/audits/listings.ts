// The blocks and transactions that a node lists, against a replay of its chain.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AuditedNode } from '../audited-node.js';
import { hex } from '../bytes.js';
import { type AuditedTransaction, ChainAuditor, checkInclusion } from '../chain-auditor.js';
import { BlockHeader, blockHash } from '../ledger-shapes.js';
import { RpcClient } from '../rpc.js';
import {
  type BlockSummary,
  GetBlockSummariesResult,
  InclusionProof,
  ListBlocksResult,
  ListTxsResult,
  TxByHashResult,
  TxReceiptResult,
  type TxSummary,
} from '../rpc-shapes.js';
import { submitAll } from '../traffic.js';

/** Follows `next_cursor` to the end. */
async function listAll<T>(
  page: (
    cursor: string | undefined,
  ) => Promise<{ readonly items: readonly T[]; readonly next: string | undefined }>,
): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const { items, next } = await page(cursor);
    assert.ok(items.length > 0 || next === undefined, 'an empty page that is not the last');
    all.push(...items);
    cursor = next;
  } while (cursor !== undefined);
  return all;
}

/** Falsifies one member of block 0's header and adjusts the hash. */
class LyingRpc extends RpcClient {
  readonly #member: string;
  readonly #value: unknown;

  constructor(url: string, member: string, value: unknown) {
    super(url);
    this.#member = member;
    this.#value = value;
  }

  override async call(method: string, params: unknown = {}): Promise<unknown> {
    const result = await super.call(method, params);
    if (method !== 'get_blocks') return result;
    const { blocks } = result as { readonly blocks: readonly { hash: string; readonly header: object }[] };
    const [genesis, ...rest] = blocks;
    assert.ok(genesis !== undefined);
    const header = { ...genesis.header, [this.#member]: this.#value };
    const hash = hex(blockHash(BlockHeader.fromJson(header, 'header')));
    return { ...(result as object), blocks: [{ ...genesis, header, hash }, ...rest] };
  }
}

export function auditListings(world: () => AuditedNode): void {
  describe('its listings', () => {
    function compareSummaries(listed: readonly TxSummary[], expected: readonly AuditedTransaction[]): void {
      assert.deepEqual(
        listed.map((summary) => hex(summary.tx_hash)),
        expected.map((audited) => audited.hash),
      );
      listed.forEach((summary, i) => {
        const audited = expected[i];
        assert.ok(audited !== undefined);
        const { transaction } = audited.signed;
        assert.equal(summary.height, audited.height);
        assert.equal(summary.index, audited.index);
        assert.equal(hex(summary.block_hash), world().auditor.blockHash(Number(audited.height)));
        assert.deepEqual(summary.sender, transaction.sender);
        assert.equal(summary.lane, transaction.lane);
        assert.equal(summary.nonce, transaction.nonce);
        assert.equal(summary.kind.type, transaction.action.type);
        assert.deepEqual(summary.status, audited.receipt.status);
        assert.equal(summary.gas_used, audited.receipt.gas_used);
        assert.equal(summary.fee, audited.receipt.fee);
        if (transaction.action.type === 'transfer') {
          assert.deepEqual(summary.to, transaction.action.value.to);
          assert.equal(summary.value, transaction.action.value.amount);
        }
      });
    }

    test('every accepted transaction is on the chain, and nothing else is', () => {
      assert.deepEqual(
        [...world().auditor.transactions.keys()].sort(),
        world()
          .sent.map(({ hash }) => hash)
          .sort(),
      );
    });

    test('the traffic covers all intended cases', () => {
      const audited = [...world().auditor.transactions.values()];
      const count = (holds: (entry: AuditedTransaction) => boolean): number => audited.filter(holds).length;
      assert.ok(count((entry) => entry.receipt.status.type === 'success') > 100, 'successes');
      assert.ok(count((entry) => entry.receipt.status.type !== 'success') > 10, 'failures');
      assert.ok(count((entry) => entry.signed.signature.type === 'secp256k1') > 10, 'secp256k1 senders');
      assert.ok(count((entry) => entry.signed.transaction.priority_fee > 0n) > 100, 'priority fees');
      assert.ok(count((entry) => entry.signed.transaction.lane === 3) > 10, 'lanes');
      assert.ok(world().auditor.model.burned > 0n, 'burned fees');
      assert.ok(count((entry) => entry.receipt.logs.length > 0) > 50, 'events');
      assert.ok(count((entry) => entry.receipt.status.type === 'reverted') > 5, 'reverts');
      assert.equal(world().counters.filter((address) => world().auditor.model.isContract(address)).length, 3);
    });

    test('every account has the balance and lanes that a replay from genesis gives', async () => {
      await world().auditor.compareAccounts(world().rpc);
    });

    test('list_blocks walks from the tip to genesis', async () => {
      const blocks: BlockSummary[] = await listAll(async (cursor) => {
        const page = ListBlocksResult.fromJson(
          await world().rpc.call('list_blocks', { limit: 7, cursor }),
          'list_blocks',
        );
        return { items: page.blocks, next: page.next_cursor };
      });
      assert.deepEqual(
        blocks.map((block) => hex(block.hash)),
        Array.from({ length: world().auditor.height }, (_, i) =>
          world().auditor.blockHash(world().auditor.height - 1 - i),
        ),
      );
      const summaries = GetBlockSummariesResult.fromJson(
        await world().rpc.call('get_block_summaries', {
          from_height: 0,
          to_height: world().auditor.height - 1,
        }),
        'get_block_summaries',
      );
      assert.deepEqual(summaries.blocks, blocks.reverse());
    });

    test('list_txs and list_txs_by_sender hold every transaction once, newest first', async () => {
      const listed = await listAll(async (cursor) => {
        const page = ListTxsResult.fromJson(
          await world().rpc.call('list_txs', { limit: 37, cursor }),
          'list_txs',
        );
        return { items: page.transactions, next: page.next_cursor };
      });
      const expected = world().newestFirst();
      compareSummaries(listed, expected);
      for (const sender of new Set(expected.map((entry) => hex(entry.signed.transaction.sender)))) {
        const own = await listAll(async (cursor) => {
          const params = { sender: `0x${sender}`, limit: 13, cursor };
          const page = ListTxsResult.fromJson(
            await world().rpc.call('list_txs_by_sender', params),
            'list_txs_by_sender',
          );
          return { items: page.transactions, next: page.next_cursor };
        });
        compareSummaries(
          own,
          expected.filter((entry) => hex(entry.signed.transaction.sender) === sender),
        );
      }
    });

    test('tx_by_hash answers with the very transaction that was sent', async () => {
      for (const entry of world().sent.slice(0, 40)) {
        const answer = TxByHashResult.fromJson(
          await world().rpc.call('tx_by_hash', { tx_hash: entry.hash }),
          'tx_by_hash',
        );
        assert.deepEqual(answer.transaction, entry.signed);
        assert.equal(answer.status.type, 'included');
        if (answer.status.type !== 'included') continue;
        const audited = world().auditor.transactions.get(entry.hash);
        assert.equal(answer.status.value.height, audited?.height);
        assert.equal(answer.status.value.index, audited?.index);
        assert.equal(answer.status.value.finalized, true);
      }
    });

    test('an inclusion proof with any member changed is refused', async () => {
      const audited = world()
        .newestFirst()
        .find((entry) => entry.index > 2);
      assert.ok(audited !== undefined, 'no block with more than three transactions');
      const raw = await world().rpc.call('tx_receipt', { tx_hash: audited.hash, with_proof: true });
      const { proof } = TxReceiptResult.fromJson(raw, 'tx_receipt');
      assert.ok(proof !== undefined);
      const hash = audited.receipt.tx_hash;
      const block = audited.receipt.block_hash;
      checkInclusion(proof, hash, block);
      const flip = (bytes: Uint8Array): Uint8Array =>
        bytes.map((byte, i) => (i === bytes.length - 1 ? byte ^ 1 : byte));
      const changed: readonly InclusionProof[] = [
        { ...proof, header: { ...proof.header, extra: Uint8Array.of(1) } },
        { ...proof, item: flip(proof.item) },
        { ...proof, receipt: flip(proof.receipt) },
        { ...proof, item_index: proof.item_index ^ 1 },
        { ...proof, receipt_index: proof.receipt_index ^ 1 },
        { ...proof, item_count: proof.item_count + 1 },
        { ...proof, receipt_path: proof.receipt_path.map(flip) },
        { ...proof, item_path: proof.item_path.slice(1) },
      ];
      for (const wrong of changed) {
        assert.notDeepEqual(InclusionProof.toJson(wrong), InclusionProof.toJson(proof));
        assert.throws(() => checkInclusion(wrong, hash, block));
      }
    });

    test('the audit detects every false commitment of a header', async () => {
      const wrong = 'ab'.repeat(32);
      const changes: Readonly<Record<string, unknown>> = {
        parent_hash: wrong,
        view: 3,
        transactions_root: wrong,
        receipts_root: wrong,
        state_root: wrong,
        history_root: wrong,
        validators_hash: wrong,
        gas_used: 1,
      };
      for (const [member, value] of Object.entries(changes)) {
        const lying = new LyingRpc(world().node.url, member, value);
        try {
          const audit = new ChainAuditor({ allocation: world().allocation, proofs: 'some' }).advance(lying);
          await assert.rejects(audit, new RegExp(`block 0: .*${member}`));
        } finally {
          lying.close();
        }
      }
    });

    test('submitting an included transaction again is refused and changes nothing', async () => {
      const { accepted, refused } = await submitAll(world().rpc, world().sent.slice(0, 20));
      assert.equal(accepted.length, 0);
      for (const { failure } of refused) {
        assert.equal(failure.code, -32010);
        assert.ok(
          ['already_known', 'nonce_too_low'].includes(String(failure.data['reason'])),
          failure.message,
        );
      }
    });
  });
}
