// The client's subscriptions against a real node, through a proxy that cuts its connections.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { type Client, connect, devAccount, RpcCallError } from '../../src/client/client.js';
import type { BlockSummary, Log, PendingSummary } from '../../src/generated/node-rpc-v1.js';
import { ControlClient } from '../../src/node/control/control-client.js';
import { ContractNode } from '../support/contract-node.js';
import { CuttingProxy } from '../support/cutting-proxy.js';
import { eventually } from '../support/eventually.js';
import { NodeProcess } from '../support/node-process.js';

const webSocket = WebSocket;

for (const [kind, flags] of [
  ['a front thread', ['--front-threads', '1']],
  ['no front thread', ['--front-threads', '0']],
  ['--native off', ['--native', 'off']],
] as const) {
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
        if (proxy.cuts >= 5 && heights.length > 150) onEnough();
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
      const blocks: BlockSummary[] = [];
      const { tip } = await direct.status();
      const subscriptions = [
        direct.subscribe('pending_txs', { webSocket }, (transaction) => pending.push(transaction)),
        direct.subscribe('finalized_blocks', { webSocket }, (block) => blocks.push(block)),
      ];
      await Promise.all(subscriptions.map(({ started }) => started));
      const to = devAccount(1).address;
      const sent = await direct.sender(devAccount(0)).transfer({ to, amount: 1n, wait: 'included' });
      while (pending.length === 0 || (blocks.at(-1)?.height ?? 0n) < sent.receipt.height) await sleep(20);
      assert.deepEqual(pending[0]?.tx_hash, sent.hash);
      assert.ok((blocks[0]?.height ?? 0n) > tip.height);
      assert.ok(blocks.every(({ finalized }) => finalized));
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

test('logs are those of get_logs, past ones first', async () => {
  const world = await ContractNode.start();
  const { client } = world;
  const seen: Log[] = [];
  const matching: Log[] = [];
  await world.seal([world.pay(1), world.pay(2)]);
  const { logs: past } = await client.get_logs({ from_height: 0n });
  const contract = past[0]?.contract ?? assert.fail('the transfers report no event');
  const all = client.subscribe('logs', { fromHeight: 0n, webSocket }, (log) => seen.push(log));
  const filter = { contract };
  const some = client.subscribe('logs', { filter, fromHeight: 0n, webSocket }, (log) => matching.push(log));
  const nothing = client.subscribe(
    'logs',
    { filter: { topics: [[new Uint8Array(32)]] }, fromHeight: 0n, webSocket },
    () => assert.fail('no event matches'),
  );
  await Promise.all([all.started, some.started, nothing.started]);
  await world.seal([world.pay(3)]);
  await world.seal([]);
  await world.seal([world.pay(4), world.pay(5)]);
  const { logs } = await client.get_logs({ from_height: 0n });
  assert.ok(logs.length >= past.length + 3);
  while (matching.length < logs.length || seen.length < logs.length) await sleep(10);
  await client.close();
  await world.stop();
  assert.deepEqual(seen, logs);
  assert.deepEqual(matching, logs);
});

test('logs resume without gap or repeat after a quiet time longer than --max-resume-heights', async (t) => {
  const maxHeights = 20;
  const world = await ContractNode.for(t, { 'max-resume-heights': `${maxHeights}` });
  const proxy = await CuttingProxy.open(world.node.url);
  const client = connect(proxy.url);
  t.after(async () => {
    await client.close();
    proxy.close();
  });
  const positions: number[] = [];
  class NotingWebSocket extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols);
      this.on('message', (data) => {
        const { result } = JSON.parse(String(data)) as { result?: { from_height?: number } };
        if (result?.from_height !== undefined) positions.push(result.from_height);
      });
    }
  }
  const seen: Log[] = [];
  await world.seal([world.pay(1)]);
  // The client asks for the position of a quiet subscription every 40 s; here every second.
  const realInterval = setInterval;
  const faster = t.mock.method(globalThis, 'setInterval', (run: () => void, ms: number) =>
    realInterval(run, ms / 40),
  );
  const options = { fromHeight: 0n, webSocket: NotingWebSocket };
  const subscription = client.subscribe('logs', options, (log) => seen.push(log));
  faster.mock.restore();
  await subscription.started;
  while (seen.length === 0) await sleep(10);
  for (let i = 0; i < maxHeights + 5; i++) await world.seal([]);
  const { tip } = await world.client.status();
  while ((positions.at(-1) ?? 0) <= Number(tip.height)) await sleep(10);
  proxy.cut();
  await world.seal([world.pay(2)]);
  const { logs } = await world.client.get_logs({ from_height: 0n });
  await Promise.race([
    eventually('the second log', async () => seen.length >= logs.length),
    subscription.ended,
  ]);
  assert.deepEqual(seen, logs);
});
