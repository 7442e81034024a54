// The client's subscriptions against a real node, through a proxy that cuts its connections.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { connect } from '../../src/client/client.js';
import type { Log } from '../../src/generated/node-rpc-v1.js';
import { eventually } from '../support/eventually.js';
import { testSubscriptions } from '../support/http/client-subscriptions.js';
import { CuttingProxy } from '../support/networks/cutting-proxy.js';
import { ContractNode } from '../support/nodes/contract-node.js';

const webSocket = WebSocket;

testSubscriptions('a front thread', ['--front-threads', '1'], 50);

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

test('logs resume without gap or repeat after a quiet time longer than the limit of heights to resume', async (t) => {
  const maxHeights = 20;
  const world = await ContractNode.for(t, {}, { maxResumeHeights: maxHeights });
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
  // The client asks for the position of a quiet subscription every 40 s; here every 5 s.
  const realInterval = setInterval;
  const faster = t.mock.method(globalThis, 'setInterval', (run: () => void, ms: number) =>
    realInterval(run, ms / 8),
  );
  const options = { fromHeight: 0n, webSocket: NotingWebSocket };
  const subscription = client.subscribe('logs', options, (log) => seen.push(log));
  faster.mock.restore();
  await subscription.started;
  while (seen.length === 0) await sleep(10);
  for (let i = 0; i < maxHeights + 5; i++) await world.seal([]);
  const { tip } = await world.client.status();
  await Promise.race([
    eventually('a position above the tip', async () => (positions.at(-1) ?? 0) > Number(tip.height)),
    subscription.ended.then(() => assert.fail('the subscription has ended')),
  ]);
  proxy.cut();
  await world.seal([world.pay(2)]);
  const { logs } = await world.client.get_logs({ from_height: 0n });
  await Promise.race([
    eventually('the second log', async () => seen.length >= logs.length),
    subscription.ended,
  ]);
  assert.deepEqual(seen, logs);
});
