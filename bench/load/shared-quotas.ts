// The cost of quotas that several nodes share: `account` with a token that has a balance and a rate, at a node with the
// embedded store and at one with Redis, in turn; the processor time of Redis for each token in use and second.
//   npm run bench -- shared-quotas [--rounds 3] [--milliseconds 2000] [--connections 16]

import type { NodeProcess } from '../../test/support/nodes/node-process.js';
import { Fleet } from '../../test/support/tokens/fleet.js';
import { RedisServer, WITHOUT_REDIS } from '../../test/support/tokens/redis-server.js';
import { recordFigure } from '../results/record.js';
import { median } from '../results/rounds.js';
import { benchArguments } from '../support/bench-arguments.js';
import { threadLoad } from '../support/request-load.js';
import { rpcBody } from '../support/rpc-body.js';
import { processCpuSeconds } from '../support/statistics.js';

const values = benchArguments({
  rounds: { type: 'string', default: '3' },
  milliseconds: { type: 'string', default: '2000' },
  connections: { type: 'string', default: '16' },
});
const BODY = rpcBody('account', { address: `0x${'00'.repeat(20)}` });
/** Neither runs out during the benchmark. */
const GRANT = ['--tier', 'paid', '--units', '1000000000', '--rate', '1000000'] as const;

interface Metered {
  readonly node: NodeProcess;
  readonly token: string;
  /** Processor time of the node per request, in microseconds, by round. */
  readonly micros: number[];
}

async function metered(fleet: Fleet): Promise<Metered> {
  const node = await fleet.add();
  const { token } = await fleet.token(node.dataDir, 'issue', ...GRANT);
  return { node, token, micros: [] };
}

async function commandsOf(redis: RedisServer): Promise<number> {
  const text = await redis.command('INFO stats');
  return Number(/total_commands_processed:(\d+)/.exec(text)?.[1]);
}

if (WITHOUT_REDIS !== false) throw new Error(WITHOUT_REDIS);
const redis = await RedisServer.start();
const fleets = [new Fleet('embedded'), new Fleet(redis.url)] as const;
const load = threadLoad();
try {
  const [own, shared] = [await metered(fleets[0]), await metered(fleets[1])];
  const milliseconds = Number(values.milliseconds);
  const redisMicros: number[] = [];
  const commands: number[] = [];
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const { node, token, micros } of [own, shared]) {
      const before = { node: processCpuSeconds(node.pid), redis: processCpuSeconds(redis.pid) };
      const commandsBefore = await commandsOf(redis);
      const begun = performance.now();
      const connections = Number(values.connections);
      const rate = await load.measure({ url: node.url, body: BODY, token, connections, milliseconds });
      const seconds = (performance.now() - begun) / 1_000;
      // The first round is unmeasured, to compile both.
      if (round === 0) continue;
      micros.push(((processCpuSeconds(node.pid) - before.node) * 1e6) / ((rate * milliseconds) / 1_000));
      if (node !== shared.node) continue;
      redisMicros.push(((processCpuSeconds(redis.pid) - before.redis) * 1e6) / seconds);
      commands.push(((await commandsOf(redis)) - commandsBefore) / seconds);
    }
  }
  console.log(`account with a token, node: ${median(own.micros).toFixed(1)} µs embedded store`);
  console.log(`                            ${median(shared.micros).toFixed(1)} µs with Redis`);
  console.log(`Redis for this token and node: ${median(redisMicros).toFixed(0)} µs a second`);
  console.log(`commands of it: ${median(commands).toFixed(1)} a second`);
  recordFigure({
    name: 'account with a token, Redis: processor time of the node',
    unit: 'µs',
    better: 'lower',
    rounds: shared.micros,
    baselines: [{ name: 'embedded store', rounds: own.micros }],
  });
  recordFigure({
    name: 'processor time of Redis per second, for a token in use at a node',
    unit: 'µs',
    better: 'lower',
    rounds: redisMicros,
  });
  recordFigure({
    name: 'commands of Redis, those of its scripts included, for a token in use at a node',
    unit: '/s',
    better: 'lower',
    rounds: commands,
  });
} finally {
  await load.stop();
  for (const fleet of fleets) await fleet.dispose();
  await redis.dispose();
}
