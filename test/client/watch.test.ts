// Watches against a real node, over WebSockets and by polling, through a proxy that cuts the connections.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import WebSocket from 'ws';
import { type Client, type Contract, connect, TypedContract } from '../../src/client/client.js';
import type { Log } from '../../src/generated/node-rpc-v1.js';
import { ALICE, BOB } from '../support/actions.js';
import { eventually } from '../support/eventually.js';
import { CuttingProxy } from '../support/networks/cutting-proxy.js';
import { ContractNode } from '../support/nodes/contract-node.js';
import { CONTRACTS } from '../support/worlds/contract-world.js';

const IDL = readFileSync(join(CONTRACTS, 'token', 'token.idl'), 'utf8');

interface TokenEvents {
  readonly calls: object;
  readonly views: object;
  readonly events: {
    readonly Transfer: { readonly from: Uint8Array; readonly to: Uint8Array; readonly amount: bigint };
  };
  readonly errors: object;
}

describe('a watch', () => {
  let world: ContractNode;
  before(async () => {
    world = await ContractNode.start();
  });
  after(() => world?.stop());

  for (const [kind, webSocket] of [
    ['over a WebSocket', WebSocket],
    ['by polling', false],
  ] as const) {
    describe(kind, () => {
      let proxy: CuttingProxy;
      let client: Client;
      let token: Contract;
      const options = { webSocket, pollMs: 20 };
      before(async () => {
        proxy = await CuttingProxy.open(world.node.url);
        client = connect(proxy.url);
        token = client.contract(world.token);
      });
      after(async () => {
        await client?.close();
        proxy?.close();
      });

      /** The logs of the token's transfers to bob since a height. */
      async function transfers(fromHeight: bigint): Promise<readonly Log[]> {
        const { logs } = await world.client.get_logs({
          contract: world.token,
          from_height: fromHeight,
          limit: 1_000,
        });
        return logs.filter(({ event }) => event?.name === 'Transfer');
      }

      test('a contract reports each event once, in order, however often the connection is lost', async () => {
        const amounts: unknown[] = [];
        const logs: Log[] = [];
        const retries: unknown[] = [];
        const { tip } = await world.client.status();
        const watch = token.watch(
          'Transfer',
          { ...options, fromHeight: tip.height + 1n, onRetry: (error) => retries.push(error) },
          ({ name, args, log }) => {
            assert.equal(name, 'Transfer');
            amounts.push(args['amount']);
            logs.push(log);
          },
        );
        await watch.started;
        for (let i = 1; i <= 12; i++) {
          await world.seal([world.pay(2 * i), world.pay(2 * i + 1)]);
          if (i % 3 === 0) {
            await eventually('a connection to cut', async () => {
              const { cuts } = proxy;
              proxy.cut();
              return proxy.cuts > cuts;
            });
          }
        }
        await eventually('all events', async () => logs.length >= 24);
        watch.close();
        await watch.ended;
        assert.deepEqual(
          amounts,
          Array.from({ length: 24 }, (_, i) => `${i + 2}`),
        );
        assert.deepEqual(logs, await transfers(tip.height + 1n));
      });

      test('a slow loop gets everything, while at most maxBuffered events wait', async () => {
        const { tip } = await world.client.status();
        let opened = 0;
        class CountedWebSocket extends WebSocket {
          constructor(url: string, protocols: string[]) {
            super(url, protocols);
            opened++;
          }
        }
        const watch = token.watch('Transfer', {
          ...options,
          webSocket: webSocket === false ? false : CountedWebSocket,
          fromHeight: tip.height + 1n,
          maxBuffered: 3,
        });
        await watch.started;
        const seen: Log[] = [];
        let sealed = 0;
        const sealing = (async () => {
          for (let i = 0; i < 6; i++) {
            await world.seal([world.pay(100 + i), world.pay(200 + i), world.pay(300 + i)]);
            sealed += 3;
          }
        })();
        await eventually('more events than fit', async () => sealed >= 6);
        for await (const { log } of watch) {
          seen.push(log);
          if (seen.length === 1) await sealing;
          if (seen.length === 18) break;
        }
        await watch.ended;
        assert.deepEqual(seen, await transfers(tip.height + 1n));
        if (webSocket !== false) assert.ok(opened >= 1, `${opened} WebSockets`);
      });

      test('an event filter selects by indexed fields, in text or bytes', async () => {
        const { tip } = await world.client.status();
        const fromHeight = tip.height + 1n;
        await world.seal([world.pay(7), world.pay(8)]);
        const filters = [{ to: BOB }, { to: [ALICE, BOB] }, { from: ALICE, to: BOB }, {}];
        for (const filter of filters) {
          const amounts: unknown[] = [];
          for await (const { args } of token.watch('Transfer', { ...options, fromHeight, filter })) {
            assert.equal(args['to'], BOB);
            amounts.push(args['amount']);
            if (amounts.length === 2) break;
          }
          assert.deepEqual(amounts, ['7', '8']);
        }
        const none = token.watch('Transfer', { ...options, fromHeight, filter: { from: BOB } }, () =>
          assert.fail('bob has sent nothing'),
        );
        await none.started;
        await world.seal([world.pay(9)]);
        const all: bigint[] = [];
        for await (const { log } of token.watch('Transfer', { ...options, fromHeight })) {
          if (all.push(log.height) === 3) break;
        }
        none.close();
        await none.ended;
      });

      test('a typed contract reports typed events', async () => {
        const { tip } = await world.client.status();
        await world.seal([world.pay(11)]);
        const typed = new TypedContract<TokenEvents>(client.contract(world.token, { idl: IDL }));
        const fromHeight = tip.height + 1n;
        const filter = { to: BOB };
        for await (const { name, args, log } of typed.watch('Transfer', { ...options, fromHeight, filter })) {
          const amount: bigint = args.amount;
          assert.equal(name, 'Transfer');
          assert.equal(amount, 11n);
          assert.ok(args.to instanceof Uint8Array);
          assert.ok(log.height >= fromHeight);
          break;
        }
      });

      test('a contract of an interface text takes arguments as text or bytes, and gives typed results', async () => {
        const typed = client.contract(world.token, IDL);
        const bytes = Buffer.from(BOB.slice(2), 'hex');
        const balance = await typed.view('balance_of', { owner: BOB });
        assert.equal(typeof balance, 'bigint');
        assert.equal(await typed.view('balance_of', { owner: Uint8Array.from(bytes) }), balance);
        assert.equal(await typed.view('balance_of', { owner: BOB.slice(2) }), balance);
        await assert.rejects(typed.view('balance_of', { owner: '0x12' }), {
          code: 'bad_argument',
          message: /^Token\.balance_of: args\.owner: expected 20 bytes/,
        });
        const fromHeight = 0n;
        for await (const { args } of typed.watch('Transfer', {
          ...options,
          fromHeight,
          filter: { to: BOB },
        })) {
          assert.equal(typeof args['amount'], 'bigint');
          break;
        }
      });

      test('blocks come once each and in order, past ones first', async () => {
        const heights: bigint[] = [];
        const finals: boolean[] = [];
        const { tip } = await world.client.status();
        const watch = client.watchBlocks(
          { ...options, fromHeight: 0n, maxBuffered: 2 },
          async ({ height }) => {
            heights.push(height);
            await new Promise((resolve) => setImmediate(resolve));
          },
        );
        const final = client.watchBlocks({ ...options, finalized: true }, ({ finalized }) => {
          finals.push(finalized);
        });
        await Promise.all([watch.started, final.started]);
        await eventually('a connection to cut', async () => {
          const { cuts } = proxy;
          proxy.cut();
          return proxy.cuts > cuts;
        });
        for (let i = 0; i < 5; i++) await world.seal([]);
        await eventually(
          'all blocks',
          async () => heights.length > Number(tip.height) + 5 && finals.length >= 5,
        );
        watch.close();
        final.close();
        await Promise.all([watch.ended, final.ended]);
        assert.deepEqual(
          heights,
          heights.map((_, height) => BigInt(height)),
        );
        assert.ok(finals.every((isFinal) => isFinal));
      });

      test('raw logs are those of get_logs, also from a height that is yet to come', async () => {
        const { tip } = await world.client.status();
        const seen: Log[] = [];
        const fromHeight = tip.height + 3n;
        const watch = client.watchLogs({ contract: world.token }, { ...options, fromHeight }, (log) => {
          seen.push(log);
        });
        await watch.started;
        for (let i = 1; i <= 4; i++) await world.seal([world.pay(1_000 + i)]);
        await eventually('the logs', async () => seen.length >= 2);
        watch.close();
        const { logs } = await world.client.get_logs({ contract: world.token, from_height: fromHeight });
        assert.deepEqual(seen, logs);
      });

      test('a filter of several contracts delivers the logs of each', async () => {
        const fromHeight = (await world.client.status()).tip.height;
        const contracts = [world.probe, world.token];
        await world.seal([world.pay(2_001), world.pay(2_002)]);
        const seen: bigint[] = [];
        for await (const log of client.watchLogs(
          { contracts },
          { ...options, fromHeight: fromHeight + 1n },
        )) {
          seen.push(log.height);
          if (seen.length === 2) break;
        }
        assert.deepEqual(seen, [fromHeight + 1n, fromHeight + 1n]);
        assert.throws(() => client.watchLogs({ contracts: ['0x12'] }), /filter\.contracts\[0\]/);
      });

      test('an error of the function ends the watch, and closing the client does too', async () => {
        const watch = client.watchBlocks({ ...options, fromHeight: 0n }, () => {
          throw new RangeError('mine');
        });
        await assert.rejects(watch.ended, /mine/);
        const other = connect(world.node.url);
        const blocks = other.watchBlocks(options);
        const loop = (async () => {
          for await (const _ of blocks) assert.fail('no block comes');
        })();
        await blocks.started;
        await other.close();
        await Promise.all([blocks.ended, loop]);
      });
    });
  }

  describe('is refused', () => {
    const cases: [why: string, event: string, filter: Record<string, string>, message: RegExp][] = [
      ['an unknown event', 'Transfre', {}, /Token has no event "Transfre"; did you mean Transfer\?/],
      ['a field that is not indexed', 'Transfer', { amount: '5' }, /amount is not indexed.*from, to/],
      ['an unknown field', 'Transfer', { form: BOB }, /no field "form"; did you mean from\?/],
      ['a wrong value', 'Transfer', { to: 'bob' }, /filter\.to: .*expected address/],
    ];
    for (const [why, event, filter, message] of cases) {
      test(`for ${why}`, async () => {
        const token = world.client.contract(world.token);
        const watch = token.watch(event, { filter, webSocket: false });
        await assert.rejects(watch.started, { name: 'ClientError', code: 'bad_argument', message });
        await assert.rejects(async () => {
          for await (const _ of watch) assert.fail('no event comes');
        }, message);
      });
    }

    test('for wrong options, before anything is sent', () => {
      const { client } = world;
      assert.throws(() => client.watchLogs({ contract: '0x12' }), { code: 'bad_address' });
      assert.throws(() => client.watchLogs({ topics: [['0x12']] }), {
        code: 'bad_hash',
        message: /^filter\.topics\[0\]\[0\]/,
      });
      for (const maxBuffered of [0, 1.5, Number.NaN]) {
        assert.throws(() => client.watchBlocks({ maxBuffered }), { code: 'bad_argument' });
      }
      assert.throws(() => client.watchBlocks({ pollMs: -1 }), { code: 'bad_argument' });
    });

    test('for iteration beside a function', async () => {
      const watch = world.client.watchBlocks({ webSocket: false }, () => undefined);
      assert.throws(() => watch[Symbol.asyncIterator](), { code: 'bad_argument' });
      watch.close();
      await watch.ended;
    });
  });
});
