import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { hex } from '../outside/bytes.js';
import { RpcClient, RpcFailure } from '../outside/rpc.js';
import {
  GetBlocksResult,
  GetTxsInRangeResult,
  ListPendingTxsResult,
  ListTxsResult,
} from '../outside/rpc-shapes.js';
import { devWallets, drained, nodeStatus, submitEvery, Traffic } from '../outside/traffic.js';
import { signTransaction, transfer, type Wallet } from '../outside/wallet.js';
import { NodeProcess } from '../support/nodes/node-process.js';

const ANSWER_LIMIT = 16 * 1024 * 1024;

describe('pages', () => {
  let node: NodeProcess;
  let rpc: RpcClient;
  let traffic: Traffic;
  const wallets = devWallets();
  const wallet = (index: number): Wallet => wallets[index] ?? assert.fail(`no wallet ${index}`);

  before(async () => {
    node = await NodeProcess.start({ flags: ['--block-time', '100', '--idle-block-time', '0'] });
    rpc = new RpcClient(node.url);
    traffic = new Traffic((await nodeStatus(rpc)).chain_id, 6);
  });

  after(async () => {
    rpc?.close();
    await node?.dispose();
  });

  async function send(from: Wallet, count: number): Promise<readonly string[]> {
    const sent = Array.from({ length: count }, () =>
      traffic.next(from, { action: transfer(from.address, 1n) }),
    );
    await submitEvery(rpc, sent);
    await drained(rpc);
    return sent.map(({ hash }) => hash);
  }

  test('a cursor keeps its position while blocks arrive', async () => {
    const old = [...(await send(wallet(0), 25)), ...(await send(wallet(0), 25))];
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = ListTxsResult.fromJson(await rpc.call('list_txs', { limit: 7, cursor }), 'list_txs');
      seen.push(...page.transactions.map((entry) => hex(entry.tx_hash)));
      cursor = page.next_cursor;
      await send(wallet(1), 3);
    } while (cursor !== undefined);
    assert.deepEqual(seen, old.toReversed());
  });

  test('a cursor of one listing or filter is refused by another', async () => {
    await send(wallet(2), 10);
    const sender = (from: Wallet): string => `0x${hex(from.address)}`;
    const listing = async (method: string, params: object): Promise<string> => {
      const page = (await rpc.call(method, { ...params, limit: 2 })) as { readonly next_cursor?: string };
      return page.next_cursor ?? assert.fail(`${method} has no second page`);
    };
    const ofAll = await listing('list_txs', {});
    const ofSender = await listing('list_txs_by_sender', { sender: sender(wallet(2)) });
    const ofBlocks = await listing('list_blocks', {});
    const misuses: readonly (readonly [method: string, params: object])[] = [
      ['list_txs', { cursor: ofBlocks }],
      ['list_txs', { cursor: ofSender }],
      ['list_blocks', { cursor: ofAll }],
      ['list_txs_by_sender', { sender: sender(wallet(2)), cursor: ofAll }],
      ['list_txs_by_sender', { sender: sender(wallet(0)), cursor: ofSender }],
      ['list_pending_txs', { cursor: ofAll }],
    ];
    for (const [method, params] of misuses) {
      await assert.rejects(rpc.call(method, params), (error: unknown) => {
        assert.ok(error instanceof RpcFailure);
        assert.equal(error.code, -32602, `${method} ${JSON.stringify(params)}: ${error.message}`);
        assert.match(error.message, /cursor/);
        return true;
      });
    }
  });

  test('pending transactions are listed newest first, page by page, and by sender', async () => {
    const { chain_id: chainId } = await nodeStatus(rpc);
    const gapped = [3, 4].flatMap((index) =>
      Array.from({ length: 5 }, (_, i) => {
        const from = wallet(index);
        return signTransaction(from, { chainId, nonce: BigInt(10 + i), action: transfer(from.address, 1n) });
      }),
    );
    for (const entry of gapped) await submitEvery(rpc, [entry]);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const answer = await rpc.call('list_pending_txs', { limit: 3, cursor });
      const page = ListPendingTxsResult.fromJson(answer, 'list_pending_txs');
      seen.push(...page.transactions.map((entry) => hex(entry.tx_hash)));
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    assert.deepEqual(seen, gapped.map(({ hash }) => hash).toReversed());
    const bySender = ListPendingTxsResult.fromJson(
      await rpc.call('list_pending_txs', { sender: `0x${hex(wallet(3).address)}` }),
      'list_pending_txs',
    );
    assert.deepEqual(
      bySender.transactions.map((entry) => hex(entry.tx_hash)),
      gapped
        .slice(0, 5)
        .map(({ hash }) => hash)
        .toReversed(),
    );
  });

  test('pages of large blocks stay within 16 MiB, advance and omit nothing', async () => {
    const first = Number((await nodeStatus(rpc)).tip.height) + 1;
    const from = wallet(9);
    const input = new Uint8Array(480 * 1024).fill(7);
    const action = { type: 'call', value: { contract: from.address, input, value: 0n } } as const;
    const sent = Array.from({ length: 24 }, () =>
      traffic.next(from, { gasLimit: 9_000_000n, maxFee: 100n, action }),
    );
    for (const entry of sent) await submitEvery(rpc, [entry]);
    const deadline = Date.now() + 20_000;
    while ((await nodeStatus(rpc)).txpool_size > 10) assert.ok(Date.now() < deadline, 'not included in time');
    const last = Number((await nodeStatus(rpc)).tip.height);
    const walk = async (
      method: string,
      hashes: (answer: unknown) => readonly string[],
    ): Promise<readonly string[]> => {
      const found: string[] = [];
      let next: number | undefined = first;
      let pages = 0;
      while (next !== undefined) {
        const params = { from_height: next, to_height: last };
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
        const { body: answer } = await rpc.post(body);
        assert.ok(answer.length < ANSWER_LIMIT + 1024, `${method} answered ${answer.length} bytes`);
        const { result } = JSON.parse(answer.toString()) as { result: { next_height?: number } };
        found.push(...hashes(result));
        assert.ok((result.next_height ?? last + 1) > next, `${method} does not move forward`);
        next = result.next_height;
        pages += 1;
      }
      assert.ok(pages > 1, `${method} answered in one page`);
      return found;
    };
    const all = sent.map(({ hash }) => hash);
    assert.deepEqual(
      await walk('get_txs_in_range', (answer) =>
        GetTxsInRangeResult.fromJson(answer, 'range').transactions.map((entry) => hex(entry.tx_hash)),
      ),
      all,
    );
    const heights = await walk('get_blocks', (answer) =>
      GetBlocksResult.fromJson(answer, 'blocks').blocks.map((block) => String(block.header.height)),
    );
    assert.deepEqual(
      heights,
      Array.from({ length: last - first + 1 }, (_, i) => String(first + i)),
    );
  });
});
