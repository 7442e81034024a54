// The bounds and the price of what subscriptions cost the node: index lookups per block, and past events.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { eventually } from '../../support/eventually.js';
import { HTTP_IMPLEMENTATIONS } from '../../support/http/http-implementations.js';
import { SocketServer } from '../../support/http/socket-server.js';
import type { RpcAnswer, SocketWire } from '../../support/http/socket-wire.js';

const SCAN_LOOKUPS = 20;
const PAGE = 256;

interface Notice {
  readonly params: {
    readonly result?: { readonly height: number };
    readonly dropped?: { readonly from_height: number; readonly reason: string };
  };
}

async function notice(wire: SocketWire): Promise<Notice['params']> {
  return ((await wire.json()) as Notice).params;
}

const hash = (n: number) => n.toString(16).padStart(64, '0');
const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;
const addresses = (count: number) => Array.from({ length: count }, (_, n) => address(n + 1));
const ofContract = (n: number) => ({ topic: 'logs', filter: { contract: address(n) } });

async function subscribe(wire: SocketWire, params: object): Promise<string> {
  const { result, error } = await wire.call('subscribe', params);
  assert.equal(error, undefined, JSON.stringify(error));
  return (result as { subscription: string }).subscription;
}

for (const implementation of HTTP_IMPLEMENTATIONS) {
  describe(`cost of subscriptions on ${implementation.name}`, { skip: implementation.skip }, async () => {
    const server = await SocketServer.open(implementation, {
      limits: {
        maxLogLookups: 320,
        maxLogLookupsPerConnection: 100,
        maxReplays: 16,
        maxReplaysPerConnection: 2,
      },
    });
    const { chain, rpc } = server;
    const counts = rpc.metrics.rpc.sockets;
    after(() => server.dispose());
    const until = (holds: () => boolean) => eventually(`${holds}`, () => Promise.resolve(holds()));

    test('a filter counts once per index lookup, and more if the index does not help', async () => {
      const wire = await server.connect();
      const filters = [
        [{ contract: address(1) }, 1],
        [{ topics: [[hash(1), hash(2), hash(1)]] }, 2],
        [{ contract: address(1), topics: [[hash(1), hash(2), hash(3)]] }, 3],
        [{ contracts: [address(1), address(2), address(1)] }, 2],
        [{ contracts: [address(1), address(2)], topics: [[hash(1), hash(2), hash(3)]] }, 6],
        [{ contracts: addresses(20), topics: [addresses(6).map((_, n) => hash(n))] }, 20],
        [{ topics: [[], [hash(1)]] }, SCAN_LOOKUPS],
        [{}, SCAN_LOOKUPS],
      ] as const;
      for (const [filter, lookups] of filters) {
        const id = await subscribe(wire, { topic: 'logs', filter });
        assert.equal(counts.logLookups, lookups, JSON.stringify(filter));
        await wire.call('unsubscribe', { subscription: id });
      }
      assert.equal(counts.logLookups, 0);
      wire.close();
    });

    test('a connection has a limit of lookups, whether others have the same filters or not', async () => {
      const wires = [await server.connect(), await server.connect()];
      for (const wire of wires) {
        for (let i = 0; i < 5; i++) await subscribe(wire, { topic: 'logs' });
        const { error } = await wire.call('subscribe', ofContract(1));
        assert.equal(error?.data.kind, 'limit_exceeded');
        assert.match(error?.message ?? '', /lookups.*at most 100, got 101/);
        await subscribe(wire, { topic: 'new_blocks' });
      }
      assert.equal(counts.logLookups, 5 * SCAN_LOOKUPS);
      const [first, second] = wires;
      first?.close();
      await until(() => counts.connections === 1);
      assert.equal(counts.logLookups, 5 * SCAN_LOOKUPS, 'the other connection still has the filters');
      second?.close();
      await until(() => counts.logLookups === 0);
    });

    test('one client cannot take the lookups of all', async () => {
      const wires: SocketWire[] = [];
      const tryMany = async (localAddress: string, from: number): Promise<readonly RpcAnswer[]> => {
        const answers: RpcAnswer[] = [];
        for (let i = 0; i < 4; i++) {
          const wire = await server.connect({ localAddress });
          wires.push(wire);
          for (let k = 0; k < 100; k++)
            answers.push(await wire.call('subscribe', ofContract(from + 100 * i + k)));
        }
        return answers;
      };
      const greedy = await tryMany('127.0.0.1', 1_000);
      const refused = greedy.flatMap(({ error }) => (error === undefined ? [] : [error]));
      assert.ok(refused.length > 0);
      for (const error of refused) {
        assert.equal(error.data.kind, 'overloaded');
        assert.match(error.message, /log filters/);
      }
      const modest = await server.connect({ localAddress: '127.0.0.2' });
      for (let i = 0; i < 20; i++) await subscribe(modest, ofContract(5_000 + i));
      assert.ok(counts.logLookups <= 320);
      for (const wire of [...wires, modest]) wire.close();
      await until(() => counts.logLookups === 0);
    });

    test('long replays are limited by connection and in total, short ones are not', async () => {
      chain.height = 10_000n;
      chain.padding = 5_000;
      const wires: SocketWire[] = [];
      const open = async (): Promise<SocketWire> => {
        const wire = await server.connect();
        wires.push(wire);
        return wire;
      };
      const ask = async (wire: SocketWire, from: number): Promise<RpcAnswer> => {
        wire.send({
          jsonrpc: '2.0',
          id: 'ask',
          method: 'subscribe',
          params: { topic: 'new_blocks', from_height: from },
        });
        for (;;) {
          const message = (await wire.json()) as RpcAnswer;
          if (message.id !== 'ask') continue;
          wire.socket.pause();
          return message;
        }
      };
      let full: RpcAnswer | undefined;
      while (full === undefined) {
        const { error } = await ask(await open(), 1);
        if (error !== undefined) full = { error } as RpcAnswer;
        assert.ok(wires.length <= 17);
      }
      assert.equal(full.error?.data.kind, 'overloaded');
      assert.match(full.error?.message ?? '', /old blocks/);
      assert.equal((await ask(await open(), 9_500)).error, undefined);
      for (const wire of wires) wire.close();
      await until(() => counts.replays === 0);
      const wire = await server.connect();
      const messages = ['a', 'b', 'c'].map((id) => ({
        jsonrpc: '2.0',
        id,
        method: 'subscribe',
        params: { topic: 'new_blocks', from_height: 1 },
      }));
      wire.send(messages);
      const answers = (await wire.json()) as RpcAnswer[];
      assert.deepEqual(
        answers.map(({ error }) => error?.data.kind),
        [undefined, undefined, 'limit_exceeded'],
      );
      assert.match(answers[2]?.error?.message ?? '', /old blocks/);
      wire.close();
      chain.padding = 0;
      await until(() => counts.replays === 0);
    });

    test('a replay counts until it has caught up', async () => {
      chain.height = 2_000n;
      const wire = await server.connect();
      await subscribe(wire, { topic: 'logs', from_height: 0 });
      assert.equal(counts.replays, 1);
      for (let height = 0; height <= 2_000; height++)
        assert.equal((await notice(wire)).result?.height, height);
      await until(() => counts.replays === 0);
      chain.height++;
      assert.equal((await notice(wire)).result?.height, 2_001);
      wire.close();
    });

    test('past events are charged before they are read; without units the subscription ends', async () => {
      chain.height = 5_000n;
      const { token } = await rpc.tokens.issue({
        subject: 'alice',
        tier: 'paid',
        expiresAtMs: Date.now() + 3_600_000,
        units: 30,
      });
      const wire = await server.connect({ headers: { authorization: `Bearer ${token}` } });
      const reads = chain.reads;
      await subscribe(wire, { topic: 'new_blocks', from_height: 2_000 });
      // 10 units for the call, 5 for each page.
      const pages = (30 - 10) / 5;
      for (let i = 0; i < pages * PAGE; i++) assert.equal((await notice(wire)).result?.height, 2_000 + i);
      const { dropped } = await notice(wire);
      assert.equal(dropped?.from_height, 2_000 + pages * PAGE);
      assert.match(dropped?.reason ?? '', /units are used up/);
      assert.equal(chain.reads - reads, pages);
      wire.close();
    });

    test('past events cost the same whether others have followed them one by one or not', async () => {
      const from = Number(chain.height) + 1;
      const follower = await server.connect();
      await subscribe(follower, { topic: 'new_blocks' });
      const blocks = PAGE + 10;
      for (let i = 0; i < blocks; i++) {
        chain.height++;
        assert.equal((await notice(follower)).result?.height, from + i);
      }
      const { token } = await rpc.tokens.issue({
        subject: 'dave',
        tier: 'paid',
        expiresAtMs: Date.now() + 3_600_000,
        units: 10 + 5 * Math.ceil(blocks / PAGE),
      });
      const wire = await server.connect({ headers: { authorization: `Bearer ${token}` } });
      await subscribe(wire, { topic: 'new_blocks', from_height: from });
      for (let i = 0; i < blocks; i++) assert.equal((await notice(wire)).result?.height, from + i);
      for (const each of [follower, wire]) each.close();
    });

    test('future events are free', async () => {
      const { token } = await rpc.tokens.issue({
        subject: 'bob',
        tier: 'paid',
        expiresAtMs: Date.now() + 3_600_000,
        units: 10,
      });
      const wire = await server.connect({ headers: { authorization: `Bearer ${token}` } });
      await subscribe(wire, { topic: 'new_blocks' });
      for (let i = 0; i < 5; i++) {
        chain.height++;
        assert.equal((await notice(wire)).result?.height, Number(chain.height));
      }
      wire.close();
    });
  });

  test(`the rate of a client paces its replays on ${implementation.name}`, {
    skip: implementation.skip,
  }, async (t) => {
    const rate = { perSecond: 50, burst: 50 };
    const rules = { addressRates: { public: rate, paid: undefined } };
    const server = await SocketServer.open(implementation, { rules });
    t.after(() => server.dispose());
    server.chain.height = 4_000n;
    const wire = await server.connect();
    const begun = performance.now();
    await subscribe(wire, { topic: 'new_blocks', from_height: 0 });
    for (let height = 0; height <= 4_000; height++) {
      assert.equal((await notice(wire)).result?.height, height);
    }
    const units = 10 + 5 * Math.ceil(4_001 / PAGE);
    assert.ok(performance.now() - begun >= ((units - rate.burst) / rate.perSecond) * 1_000);
    wire.close();
  });
}
