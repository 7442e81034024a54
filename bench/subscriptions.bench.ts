/**
 * The load that subscriptions put on a node at their default limits, against the same node without any:
 *
 * - log filters that use `--max-log-lookups`: processor time per block beside that of an idle node;
 * - as many replays as `--max-replays` allows, each with its own filter, from the first block of a chain: processor
 *   time per replay, and the longest interval between two blocks as a live subscriber sees them.
 *
 * Run: `npm run bench -- subscriptions [--blocks 4000] [--seconds 10] [--rounds 3]`.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { RpcClient } from '../test/outside/rpc.js';
import { nodeStatus } from '../test/outside/traffic.js';
import { SocketWire } from '../test/support/http/socket-wire.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../test/support/nodes/node-process.js';
import { metricOf } from '../test/support/operations/metric-of.js';
import { benchArguments } from './support/bench-arguments.js';
import { atMost, recordCost } from './support/record-values.js';
import { quantile } from './support/statistics.js';
import { threadSeconds } from './support/thread-seconds.js';

const values = benchArguments({
  blocks: { type: 'string', default: '4000' },
  seconds: { type: 'string', default: '10' },
  rounds: { type: 'string', default: '3' },
});
const blocks = Number(values.blocks);
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);

const BLOCK_MS = 250;
/** Nine tenths of the default of `--max-log-lookups`, its limit per connection, and a number that divides that. */
const LOOKUPS = 900;
const LOOKUPS_PER_CONNECTION = 100;
const LOOKUPS_PER_FILTER = 5;
/** Nine tenths of the default of `--max-replays`, and its limit per connection. */
const REPLAYS = 180;
const REPLAYS_PER_CONNECTION = 5;
/** Eight clients may take nine tenths of a limit; the rest stays free for others. */
const ADDRESSES = 8;

const topic = (): string => `0x${randomBytes(32).toString('hex')}`;

class Subscriber {
  readonly wire: SocketWire;

  private constructor(wire: SocketWire) {
    this.wire = wire;
  }

  static async open(node: NodeProcess, nth: number): Promise<Subscriber> {
    const localAddress = `127.0.7.${1 + (nth % ADDRESSES)}`;
    return new Subscriber(await SocketWire.open(Number(new URL(node.url).port), { localAddress }));
  }

  async subscribe(params: object): Promise<void> {
    this.wire.send({ jsonrpc: '2.0', id: 1, method: 'subscribe', params });
    for (;;) {
      const answer = (await this.wire.json(30_000)) as { id?: number; error?: object };
      if (answer.error !== undefined) throw new Error(JSON.stringify(answer.error));
      if (answer.id === 1) return;
    }
  }
}

/** Processor time of the node so far, in milliseconds. */
function processorMs({ pid }: NodeProcess): number {
  return 1_000 * [...threadSeconds(pid).values()].reduce((sum, ofThread) => sum + ofThread, 0);
}

/** Processor time of the node per block, in milliseconds. */
async function msPerBlock(node: NodeProcess, rpc: RpcClient): Promise<number> {
  const [{ tip: first }, before] = [await nodeStatus(rpc), processorMs(node)];
  await sleep(seconds * 1_000);
  const [{ tip: last }, after] = [await nodeStatus(rpc), processorMs(node)];
  return (after - before) / Number(last.height - first.height);
}

async function filters(node: NodeProcess, rpc: RpcClient): Promise<void> {
  const [idle, filtered]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    idle.push(await msPerBlock(node, rpc));
    const subscribers: Subscriber[] = [];
    for (let nth = 0; nth < LOOKUPS / LOOKUPS_PER_CONNECTION; nth++) {
      const subscriber = await Subscriber.open(node, nth);
      subscribers.push(subscriber);
      for (let lookups = 0; lookups < LOOKUPS_PER_CONNECTION; lookups += LOOKUPS_PER_FILTER) {
        const topics = [Array.from({ length: LOOKUPS_PER_FILTER }, topic)];
        await subscriber.subscribe({ topic: 'logs', filter: { topics } });
      }
    }
    filtered.push(await msPerBlock(node, rpc));
    for (const { wire } of subscribers) wire.close();
    await sleep(1_000);
  }
  const [without, withAll] = [quantile(idle, 0.5), quantile(filtered, 0.5)];
  recordCost('log filters: CPU of the node per block', 'ms', filtered, {
    baselines: [{ name: 'without filters', rounds: idle }],
  });
  recordCost(
    'log filters: share of a core',
    '×',
    filtered.map((ms, round) => Math.max(0, ms - (idle[round] ?? 0)) / BLOCK_MS),
    atMost(0.5),
  );
  const share = (100 * (withAll - without)) / BLOCK_MS;
  console.log(
    `${LOOKUPS} lookups of log filters   ${without.toFixed(1)} ms per block without, ${withAll.toFixed(1)} ms with them: ${share.toFixed(1)} % of a core at ${BLOCK_MS} ms`,
  );
}

async function replays(node: NodeProcess, rpc: RpcClient): Promise<void> {
  const live = await Subscriber.open(node, 0);
  await live.subscribe({ topic: 'new_blocks' });
  const gaps: number[] = [];
  let last = performance.now();
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      await live.wire.json(30_000);
      gaps.push(performance.now() - last);
      last = performance.now();
    }
  })();
  const idleMs = await msPerBlock(node, rpc);
  const quiet = Math.max(...gaps.splice(0));
  const subscribers = await Promise.all(
    Array.from({ length: REPLAYS / REPLAYS_PER_CONNECTION }, (_, nth) => Subscriber.open(node, nth)),
  );
  const before = processorMs(node);
  const started = performance.now();
  const { tip } = await nodeStatus(rpc);
  await Promise.all(
    subscribers.map(async (subscriber) => {
      for (let nth = 0; nth < REPLAYS_PER_CONNECTION; nth++) {
        await subscriber.subscribe({ topic: 'logs', filter: { topics: [[topic()]] }, from_height: 1 });
      }
    }),
  );
  while ((await metricOf(rpc, 'heddle_websocket_replays')) > 0) await sleep(200);
  const ms = performance.now() - started;
  const used = processorMs(node) - before - (idleMs * ms) / BLOCK_MS;
  isOver = true;
  await watching;
  recordCost('replays: CPU of one', 'ms', used / REPLAYS);
  recordCost('replays: longest block interval', 'ms', Math.max(...gaps), {
    baselines: [{ name: 'without replays', rounds: [quiet] }],
    ...atMost(2 * BLOCK_MS),
  });
  console.log(
    `${REPLAYS} replays of ${tip.height} blocks   ${(used / REPLAYS).toFixed(2)} ms each, ${(ms / 1_000).toFixed(1)} s together; blocks at most ${Math.max(...gaps).toFixed(0)} ms apart, ${quiet.toFixed(0)} without them`,
  );
  for (const { wire } of [live, ...subscribers]) wire.close();
}

const dataDir = temporaryDirectory();
try {
  const maker = await NodeProcess.start({
    dataDir,
    flags: ['--block-time', '10', '--idle-block-time', '10'],
  });
  const making = new RpcClient(maker.url);
  while ((await nodeStatus(making)).tip.height < BigInt(blocks)) await sleep(200);
  making.close();
  await maker.stop();
  const node = await NodeProcess.start({
    dataDir,
    flags: ['--block-time', String(BLOCK_MS), '--idle-block-time', String(BLOCK_MS)],
  });
  const rpc = new RpcClient(node.url);
  await filters(node, rpc);
  await replays(node, rpc);
  rpc.close();
  await node.stop();
} finally {
  removeDirectory(dataDir);
}
