import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { type Client, connect, devAccount, RpcCallError } from '../../../src/client/client.js';
import type { BlockSummary, PendingSummary } from '../../../src/generated/node-rpc-v1.js';
import { ControlClient } from '../../../src/node/control/control-client.js';
import { CuttingProxy } from '../networks/cutting-proxy.js';
import { NodeProcess } from '../nodes/node-process.js';

const webSocket = WebSocket;

/**
 * The client's subscriptions against a real node, through a proxy that cuts its connections.
 * @param blocks number of blocks to receive over cut connections
 */
export function testSubscriptions(kind: string, flags: readonly string[], blocks: number): void {
  describe(`client.subscribe, ${kind}`, () => {
    let node: NodeProcess;
    let proxy: CuttingProxy;
    let client: Client;
    before(async () => {
      node = await NodeProcess.start({ flags: ['--block-time', '20', '--idle-block-time', '20', ...flags] });
      proxy = await CuttingProxy.open(node.url);
      client = connect(proxy.url);
    });
    after(async () => {
      await client?.close();
      proxy?.close();
      await node?.dispose();
    });

    test('reports every block once, in order, however often the connection is lost', async () => {
      const heights: bigint[] = [];
      const retries: unknown[] = [];
      let onEnough: () => void = () => undefined;
      const enough = new Promise<void>((resolve) => {
        onEnough = resolve;
      });
      const options = { fromHeight: 0n, webSocket, onRetry: (error: unknown) => retries.push(error) };
      const subscription = client.subscribe('new_blocks', options, (block: BlockSummary) => {
        heights.push(block.height);
        if (proxy.cuts >= 5 && heights.length > blocks) onEnough();
      });
      await subscription.started;
      const cutting = setInterval(() => proxy.cut(), 150);
      await Promise.race([enough, subscription.ended]);
      clearInterval(cutting);
      subscription.close();
      await subscription.ended;
      assert.deepEqual(
        heights,
        heights.map((_, height) => BigInt(height)),
      );
      assert.ok(retries.length >= 3, `${retries.length} retries`);
      const { length } = heights;
      await sleep(200);
      assert.equal(heights.length, length, 'no event follows close()');
    });

    test('reports the blocks after the tip, and pending transactions', async () => {
      const direct = connect(node.url);
      const pending: PendingSummary[] = [];
      const finalized: BlockSummary[] = [];
      const { tip } = await direct.status();
      const subscriptions = [
        direct.subscribe('pending_txs', { webSocket }, (transaction) => pending.push(transaction)),
        direct.subscribe('finalized_blocks', { webSocket }, (block) => finalized.push(block)),
      ];
      await Promise.all(subscriptions.map(({ started }) => started));
      const to = devAccount(1).address;
      const sent = await direct.sender(devAccount(0)).transfer({ to, amount: 1n, wait: 'included' });
      while (pending.length === 0 || (finalized.at(-1)?.height ?? 0n) < sent.receipt.height) await sleep(20);
      assert.deepEqual(pending[0]?.tx_hash, sent.hash);
      assert.ok((finalized[0]?.height ?? 0n) > tip.height);
      assert.ok(finalized.every((block) => block.finalized));
      await direct.close();
      await Promise.all(subscriptions.map(({ ended }) => ended));
    });

    test('a refusal ends the subscription with the reason', async () => {
      const direct = connect(node.url);
      const refused = direct.subscribe('new_blocks', { fromHeight: 10n ** 9n, webSocket }, () => undefined);
      await assert.rejects(
        refused.started,
        (error) => error instanceof RpcCallError && error.kind === 'not_found',
      );
      await assert.rejects(refused.ended, RpcCallError);
      const failing = direct.subscribe('new_blocks', { fromHeight: 0n, webSocket }, () => {
        throw new RangeError('mine');
      });
      await assert.rejects(failing.ended, /mine/);
      await direct.close();
    });

    test('a revoked token ends the subscription with the reason', async () => {
      const tokens = new ControlClient(node.dataDir);
      const claims = { subject: 'alice', tier: 'paid', expiresAtMs: Date.now() + 3_600_000 } as const;
      const { id, token } = await tokens.issue(claims);
      const direct = connect(node.url, { token });
      const retries: unknown[] = [];
      const onRetry = (error: unknown) => retries.push(error);
      const subscription = direct.subscribe('new_blocks', { webSocket, onRetry }, () => undefined);
      await subscription.started;
      await tokens.revoke(id);
      await assert.rejects(
        subscription.ended,
        (error) => error instanceof RpcCallError && error.kind === 'unauthorized',
      );
      assert.match(String(retries[0]), /dropped the subscription.*revoked/);
      await direct.close();
    });
  });
}
