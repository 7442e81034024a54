// Thousands of idle WebSockets, and subscribers, half of which read nothing, while blocks are sealed.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { descriptorLimit } from '../../src/config/descriptor-limit.js';
import { hex } from '../outside/bytes.js';
import { RpcClient } from '../outside/rpc.js';
import { nodeStatus } from '../outside/traffic.js';
import { assemble } from '../support/contracts/wasm-assembler.js';
import { SocketWire } from '../support/http/socket-wire.js';
import { AttackedNode } from '../support/nodes/attacked-node.js';
import { metricOf } from '../support/operations/metric-of.js';
import { perTier } from '../support/sweep.js';

interface Kind {
  readonly flags: readonly string[];
  readonly idle: number;
  readonly subscribers: number;
}

const FRONT_THREAD = ['--front-threads', '1'];
const KINDS: Readonly<Record<string, Kind>> = perTier(
  { 'a front thread': { flags: FRONT_THREAD, idle: 400, subscribers: 12 } },
  {
    'a front thread': { flags: FRONT_THREAD, idle: 10_000, subscribers: 1_000 },
    'no front thread': { flags: ['--front-threads', '0'], idle: 500, subscribers: 100 },
    '--native off': { flags: ['--native', 'off'], idle: 500, subscribers: 100 },
  },
);

const ADDRESSES = 40;
const AT_ONCE = 100;
/** Descriptors of this process for anything else. */
const SPARE_DESCRIPTORS = 500;
const PEAK_MIB = 1_500;
const BLOCK_MS = 100;
const MAX_LAG = 20;
const MANY_SHORT = Array.from({ length: 200 }, () => ({ method: 'status', params: {} }));
const AT = `0x${'c0'.repeat(20)}`;
/** A contract that returns 60,000 bytes, which are twice as much JSON. */
const LONG = assemble({
  imports: ['set_output'],
  memory: [1, 1],
  functions: [
    { name: 'invoke', type: '>i', code: 'i32.const 0; i32.const 60000; call set_output; i32.const 0' },
  ],
});
const FEW_LONG = Array.from({ length: 40 }, () => ({
  method: 'view_call',
  params: { contract: AT, input: '0x', overrides: [{ address: AT, code: `0x${hex(LONG)}` }] },
}));
/** Batches of those who do not read. Short answers take a minute to be noticed, long ones fill the buffers of the system. */
const UNREAD = perTier({ batches: 8, calls: FEW_LONG }, { batches: 6, calls: MANY_SHORT });
const DEADLINE_MS = 240_000;
/** Longer than the test runs. */
const IDLE_MS = 3_600_000;

interface Message {
  readonly params?: {
    readonly result?: { readonly height: number };
    readonly dropped?: { readonly from_height: number };
  };
}

for (const [name, { flags, idle, subscribers }] of Object.entries(KINDS)) {
  const needed = idle + subscribers + SPARE_DESCRIPTORS;
  const skip = descriptorLimit() < needed && `needs ${needed} descriptors (ulimit -n)`;
  describe(`crowded WebSockets, ${name}`, { skip }, () => {
    let attacked: AttackedNode;
    const wires: SocketWire[] = [];
    before(async () => {
      attacked = await AttackedNode.start([
        ...['--block-time', `${BLOCK_MS}`, '--idle-block-time', `${BLOCK_MS}`],
        ...['--max-subscription-lag', `${MAX_LAG}`, '--max-connections', '14000'],
        ...flags,
      ]);
    });
    after(async () => {
      for (const wire of wires) wire.close();
      await attacked?.dispose();
    });

    /** Asks on a new connection: the node closes idle ones. */
    async function fresh<T>(ask: (rpc: RpcClient) => Promise<T>): Promise<T> {
      const rpc = new RpcClient(attacked.node.url);
      try {
        return await ask(rpc);
      } finally {
        rpc.close();
      }
    }

    const metric = (metricName: string) => fresh((rpc) => metricOf(rpc, metricName));
    const height = () => fresh(async (rpc) => (await nodeStatus(rpc)).tip.height);

    async function open(count: number): Promise<SocketWire[]> {
      const { port } = new URL(attacked.node.url);
      const opened: SocketWire[] = [];
      for (let start = 0; start < count; start += AT_ONCE) {
        const some = Array.from({ length: Math.min(AT_ONCE, count - start) }, (_, i) =>
          SocketWire.open(Number(port), { localAddress: `127.0.1.${1 + ((start + i) % ADDRESSES)}` }),
        );
        opened.push(...(await Promise.all(some)));
      }
      for (const wire of opened) assert.equal(wire.status, 101);
      wires.push(...opened);
      return opened;
    }

    test('blocks are sealed, readers get every block, and the others are dropped or cut', async () => {
      // Idle clients answer pings.
      for (const wire of await open(idle)) void wire.end(IDLE_MS);
      const subscribe = { jsonrpc: '2.0', id: 1, method: 'subscribe', params: { topic: 'new_blocks' } };
      let isOver = false;
      const read = async (wire: SocketWire): Promise<void> => {
        wire.send(subscribe);
        let next: number | undefined;
        for (let blocks = 0; !isOver || blocks < 3 * MAX_LAG; ) {
          const { params } = (await wire.json(DEADLINE_MS)) as Message;
          if (params === undefined) continue;
          assert.equal(params.dropped, undefined, 'a reader was dropped');
          const reported = params.result?.height;
          if (next !== undefined) assert.equal(reported, next);
          next = (reported ?? 0) + 1;
          blocks++;
        }
      };
      const reading = Promise.all((await open(subscribers / 2)).map(read));
      // Awaited at the end.
      reading.catch(() => undefined);
      const sleepers = await open(subscribers / 2);
      const batch = UNREAD.calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }));
      for (const wire of sleepers) {
        wire.socket.pause();
        wire.send(subscribe);
        for (let i = 0; i < UNREAD.batches; i++) wire.send(batch);
      }
      const started = await height();

      const deadline = Date.now() + DEADLINE_MS;
      const lost = async () =>
        (await metric('heddle_websocket_subscriptions_dropped_total')) +
        (await metric('heddle_websocket_connections_cut_total'));
      while ((await lost()) < sleepers.length) {
        assert.ok(Date.now() < deadline, `${await lost()} of ${sleepers.length} were dropped or cut`);
        await sleep(200);
      }
      isOver = true;
      await reading;
      assert.ok((await height()) > started + BigInt(MAX_LAG));
      await Promise.all(
        sleepers.map(async (wire) => {
          wire.socket.resume();
          while (!wire.isClosed) {
            const received = await wire.frame(DEADLINE_MS);
            if (received?.payload.includes('"dropped":{"from_height":') === true) break;
          }
          // The rest would keep this process from sending its next request within the time that the node waits for it.
          wire.socket.pause();
        }),
      );
      await attacked.assertSound({ peakMiB: PEAK_MIB, withinMs: DEADLINE_MS });
    });

    test('nothing is left once they hang up', async () => {
      for (const wire of wires.splice(0)) wire.close();
      const deadline = Date.now() + DEADLINE_MS;
      for (const left of [
        'heddle_websocket_connections',
        'heddle_websocket_subscriptions',
        'heddle_rpc_buffered_bytes',
      ]) {
        while ((await metric(left)) > 0) {
          assert.ok(Date.now() < deadline, `${left} is ${await metric(left)}`);
          await sleep(100);
        }
      }
      await attacked.assertSound({ peakMiB: PEAK_MIB, withinMs: DEADLINE_MS });
    });
  });
}
