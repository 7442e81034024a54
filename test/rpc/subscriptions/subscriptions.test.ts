// Subscriptions over both servers: order, resuming, slow readers, limits. The test decides when the chain grows.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/eventually.js';
import { HTTP_IMPLEMENTATIONS } from '../../support/http/http-implementations.js';
import { SocketServer } from '../../support/http/socket-server.js';
import type { RpcAnswer, SocketWire } from '../../support/http/socket-wire.js';

const MAX_LAG = 40;

interface Event {
  readonly method: string;
  readonly params: {
    readonly subscription: string;
    readonly result?: { readonly height: number };
    readonly dropped?: { readonly from_height: number; readonly reason: string };
  };
}

async function subscribe(wire: SocketWire, params: object): Promise<string> {
  const { result, error } = await wire.call('subscribe', params);
  assert.equal(error, undefined, JSON.stringify(error));
  return (result as { subscription: string }).subscription;
}

async function nextEvent(wire: SocketWire): Promise<Event['params']> {
  const event = (await wire.json()) as Event;
  assert.equal(event.method, 'subscription', JSON.stringify(event));
  return event.params;
}

for (const implementation of HTTP_IMPLEMENTATIONS) {
  describe(`subscriptions on ${implementation.name}`, { skip: implementation.skip }, async () => {
    const server = await SocketServer.open(implementation, {
      limits: {
        maxSubscriptionLag: MAX_LAG,
        maxSubscriptionsPerConnection: 5,
        maxSubscriptions: 40,
        maxResumeHeights: 2_000,
        maxBacklogBytes: 8_000_000,
      },
    });
    const { chain, rpc } = server;
    const counts = rpc.metrics.rpc.sockets;
    after(() => server.dispose());
    const active = () => Object.values(counts.subscriptions).reduce((sum, count) => sum + count, 0);
    const until = (holds: () => boolean) => eventually(`${holds}`, () => Promise.resolve(holds()));

    test('new blocks follow the answer, one notification each', async () => {
      const wire = await server.connect();
      const id = await subscribe(wire, { topic: 'new_blocks' });
      for (let i = 0; i < 3; i++) {
        chain.height++;
        const { subscription, result } = await nextEvent(wire);
        assert.deepEqual([subscription, result?.height], [id, Number(chain.height)]);
      }
      wire.close();
      await until(() => active() === 0);
    });

    test('past events come first, without gap or repeat, while blocks arrive', async () => {
      chain.height = 1_500n;
      const growing = setInterval(() => chain.height++, 1);
      try {
        const wires = await Promise.all([server.connect(), server.connect(), server.connect()]);
        await Promise.all(
          wires.map(async (wire, i) => {
            const topic = ['new_blocks', 'finalized_blocks', 'logs'][i] ?? '';
            const from = i * 100;
            const id = await subscribe(wire, { topic, from_height: from });
            for (let height = from; height < 1_800; height++) {
              // One of the readers pauses from time to time.
              if (i === 1 && height % 500 === 0) await sleep(20);
              const { subscription, result } = await nextEvent(wire);
              assert.deepEqual([subscription, result?.height], [id, height]);
            }
            wire.close();
          }),
        );
      } finally {
        clearInterval(growing);
      }
      await until(() => active() === 0);
    });

    test('subscribers of the same events share reads and ids; those of one connection do not share ids', async () => {
      chain.height = 3_000n;
      const wires = await Promise.all(Array.from({ length: 8 }, () => server.connect()));
      const ids = await Promise.all(wires.map((wire) => subscribe(wire, { topic: 'new_blocks' })));
      assert.equal(new Set(ids).size, 1);
      const [first] = wires;
      assert.ok(first !== undefined);
      assert.notEqual(await subscribe(first, { topic: 'new_blocks' }), ids[0]);
      const before = chain.reads;
      chain.height++;
      await Promise.all(wires.map(nextEvent));
      assert.ok(chain.reads - before <= 2, `${chain.reads - before} reads`);
      for (const wire of wires) wire.close();
      await until(() => active() === 0);
    });

    test('the position of a subscription follows its events', async () => {
      chain.height = 3_500n;
      const wire = await server.connect();
      const id = await subscribe(wire, { topic: 'new_blocks', from_height: 3_499 });
      const heights = [3_499, 3_500];
      for (const height of heights) assert.equal((await nextEvent(wire)).result?.height, height);
      const { result } = await wire.call('subscription_position', { subscription: id });
      assert.deepEqual(result, { subscription: id, from_height: 3_501 });
      const unknown = await wire.call('subscription_position', { subscription: 'x' });
      assert.equal(unknown.error?.data.kind, 'not_found');
      wire.close();
      await until(() => active() === 0);
    });

    test('unsubscribe ends the events; its id is then unknown', async () => {
      const wire = await server.connect();
      const other = await subscribe(wire, { topic: 'finalized_blocks' });
      const id = await subscribe(wire, { topic: 'new_blocks' });
      assert.equal((await wire.call('unsubscribe', { subscription: id })).error, undefined);
      chain.height++;
      assert.equal((await nextEvent(wire)).subscription, other);
      for (const unknown of [id, 'x', '']) {
        assert.equal(
          (await wire.call('unsubscribe', { subscription: unknown })).error?.data.kind,
          'not_found',
        );
      }
      const stranger = await server.connect();
      const answer = await stranger.call('unsubscribe', { subscription: other });
      assert.equal(answer.error?.data.kind, 'not_found');
      wire.close();
      stranger.close();
      await until(() => active() === 0);
    });

    test('a slow reader is dropped with a notice that says where to resume', async () => {
      const wire = await server.connect();
      chain.height = 10_000n;
      chain.padding = 20_000;
      const id = await subscribe(wire, { topic: 'new_blocks' });
      wire.socket.pause();
      const dropped = counts.dropped;
      while (counts.dropped === dropped) {
        chain.height += 5n;
        await sleep(2);
      }
      wire.socket.resume();
      let next = 10_001;
      for (;;) {
        const event = await nextEvent(wire);
        assert.equal(event.subscription, id);
        if (event.dropped !== undefined) {
          assert.equal(event.dropped.from_height, next);
          assert.match(event.dropped.reason, /slow/);
          break;
        }
        assert.equal(event.result?.height, next++);
      }
      assert.equal((await wire.call('unsubscribe', { subscription: id })).error?.data.kind, 'not_found');
      chain.padding = 0;
      chain.height = BigInt(next + 10);
      await subscribe(wire, { topic: 'new_blocks', from_height: next });
      for (let i = 0; i <= 10; i++) assert.equal((await nextEvent(wire)).result?.height, next + i);
      wire.close();
      await until(() => active() === 0 && rpc.frontEnd.budget.used === 0);
    });

    test('a flood of subscriptions and their ends leaves nothing behind', async () => {
      const wire = await server.connect();
      for (let round = 0; round < 300; round++) {
        wire.send({ jsonrpc: '2.0', id: round, method: 'subscribe', params: { topic: 'logs' } });
        const answer = (await wire.json()) as RpcAnswer;
        if (answer.id !== round) continue;
        const { subscription } = answer.result as { subscription: string };
        wire.send({ jsonrpc: '2.0', id: -1, method: 'unsubscribe', params: { subscription } });
        chain.height++;
        while (((await wire.json()) as RpcAnswer).id !== -1);
      }
      assert.equal(active(), 0);
      wire.close();
    });

    test('a connection, all clients together, and the distance to the tip each have a limit', async () => {
      const wires = [await server.connect()];
      const [wire = assert.fail()] = wires;
      for (let i = 0; i < 5; i++) await subscribe(wire, { topic: 'new_blocks' });
      const more = await wire.call('subscribe', { topic: 'new_blocks' });
      assert.equal(more.error?.data.kind, 'limit_exceeded');
      let refused = 0;
      for (let i = 0; i < 10; i++) {
        const other = await server.connect();
        wires.push(other);
        for (let k = 0; k < 5; k++) {
          const { error } = await other.call('subscribe', { topic: 'logs' });
          if (error === undefined) continue;
          assert.equal(error.data.kind, 'overloaded');
          refused++;
        }
      }
      assert.ok(refused > 15, `${refused}`);
      for (const each of wires) each.close();
      await until(() => active() === 0);
      const far = await (await server.connect()).call('subscribe', { topic: 'logs', from_height: 1 });
      assert.equal(far.error?.data.kind, 'limit_exceeded');
      assert.match(far.error?.message ?? '', /2000/);
    });

    for (const [what, params, pattern] of [
      ['no topic', {}, /params\.topic/],
      ['an unknown topic', { topic: 'blocks' }, /one of new_blocks/],
      ['an unknown member', { topic: 'logs', form_height: 1 }, /from_height/],
      ['a filter for blocks', { topic: 'new_blocks', filter: {} }, /only logs/],
      ['a height for pending transactions', { topic: 'pending_txs', from_height: 1 }, /from_height/],
      ['a filter that is none', { topic: 'logs', filter: [] }, /params\.filter/],
      ['a wrong address', { topic: 'logs', filter: { contract: '0x12' } }, /params\.filter\.contract/],
      [
        'a contract beside several',
        { topic: 'logs', filter: { contract: `0x${'12'.repeat(20)}`, contracts: [`0x${'34'.repeat(20)}`] } },
        /params\.filter\.contracts: expected nothing beside params\.filter\.contract/,
      ],
      ['no contract of several', { topic: 'logs', filter: { contracts: [] } }, /params\.filter\.contracts/],
      [
        'too many topics',
        { topic: 'logs', filter: { topics: [[], [], [], [], []] } },
        /params\.filter\.topics/,
      ],
      ['a height that is none', { topic: 'logs', from_height: -1 }, /from_height/],
      ['a height to come', { topic: 'logs', from_height: 99_999_999 }, /does not exist yet/],
      ['parameters that are none', [], /params/],
    ] as const) {
      test(`${what} is refused with the reason`, async () => {
        const wire = await server.connect();
        const { error } = await wire.call('subscribe', params);
        assert.match(error?.message ?? '', pattern);
        wire.close();
      });
    }

    test('a request for a future block is retryable only if the block is near', async () => {
      const wire = await server.connect();
      for (const [ahead, isSoon] of [
        [5, true],
        [1_024, true],
        [1_025, false],
      ] as const) {
        const params = { topic: 'new_blocks', from_height: Number(chain.height) + ahead };
        const { error } = await wire.call('subscribe', params);
        assert.equal(error?.data.kind, 'not_found');
        assert.equal(error?.data.retryable, isSoon, `${ahead}`);
      }
      wire.close();
    });

    test('blocks that are not kept are state_unavailable', async () => {
      const wire = await server.connect();
      chain.firstHeight = chain.height - 10n;
      const from = Number(chain.firstHeight) - 1;
      const { error } = await wire.call('subscribe', { topic: 'logs', from_height: from });
      assert.equal(error?.data.kind, 'state_unavailable');
      chain.firstHeight = 0n;
      wire.close();
    });

    test('pending transactions come as they enter the pool; those who miss some are dropped', async () => {
      const wire = await server.connect();
      const id = await subscribe(wire, { topic: 'pending_txs' });
      chain.pending?.(['{"height":1}', '{"height":2}']);
      for (const height of [1, 2]) {
        assert.deepEqual(await nextEvent(wire), { subscription: id, result: { height } });
      }
      chain.pending?.([undefined, '{"height":3}']);
      const { dropped } = await nextEvent(wire);
      assert.equal(dropped?.from_height, Number(chain.height) + 1);
      assert.match(dropped?.reason ?? '', /more transactions/);
      assert.equal(chain.pending, undefined);
      wire.close();
    });

    test('a reader who leaves thousands of pending transactions unread is told so', async () => {
      const wire = await server.connect();
      await subscribe(wire, { topic: 'pending_txs' });
      wire.socket.pause();
      const padding = 'x'.repeat(20_000);
      const dropped = counts.dropped;
      for (let round = 0; round < 2_000 && counts.dropped === dropped; round++) {
        chain.pending?.(Array.from({ length: 10 }, () => `"${padding}"`));
        await sleep(2);
      }
      wire.socket.resume();
      let event = await nextEvent(wire);
      while (event.dropped === undefined) event = await nextEvent(wire);
      assert.match(event.dropped.reason, /slow/);
      wire.close();
      await until(() => active() === 0 && rpc.frontEnd.budget.used === 0);
    });

    test('subscribe over HTTP is refused and names the WebSocket path', async () => {
      const answer = await rpc.call('subscribe', { topic: 'new_blocks' });
      assert.equal(answer.status, 400);
      assert.match(answer.text, /\/v2\/ws/);
    });
  });
}
