// The farm beside `heddle simulate` on one node, and with two nodes; and the cost of a job in Redis:
//   npm run bench -- farm [--calls 20000] [--iterations 650000] [--rounds 3]
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseRedisUrl } from '../../src/config/quota-store-url.js';
import { FarmRedis } from '../../src/farm/redis/farm-redis.js';
import { RunStore } from '../../src/farm/run/run-store.js';
import { readReports } from '../../src/farm/worker/worker-report.js';
import { counting, deployCompute } from '../../test/support/contracts/compute-calls.js';
import { NodeProcess, runHeddle, startHeddle } from '../../test/support/nodes/node-process.js';
import { RedisServer } from '../../test/support/tokens/redis-server.js';
import { benchArguments } from '../support/bench-arguments.js';
import { recordCost, recordGain } from '../support/record-values.js';
import { printReport, processCpuSeconds, quantile } from '../support/statistics.js';

const values = benchArguments({
  calls: { type: 'string', default: '20000' },
  /** Of the loop in each call; the default takes about a millisecond. */
  iterations: { type: 'string', default: '650000' },
  rounds: { type: 'string', default: '3' },
});
const calls = Number(values.calls);
const rounds = Number(values.rounds);
const TIMEOUT_MS = 900_000;
/** Time for workers to see the run before it begins. */
const SETTLE_MS = 2_000;
/** One execution thread a node, no blocks meanwhile, and no results kept from one round to the next. */
const FLAGS = ['--workers', '1', '--idle-block-time', '0', '--result-cache', '0'];

/** The figures of one run of the farm. */
interface FarmRun {
  readonly seconds: number;
  readonly jobs: number;
  readonly workerCpuSeconds: number;
  readonly redisCpuSeconds: number;
  readonly redisCommands: number;
  readonly inputBytes: number;
  readonly resultBytes: number;
}

const directory = mkdtempSync(join(tmpdir(), 'heddle-farm-'));
const file = join(directory, 'calls.ndjson');
const redis = await RedisServer.start();
const address = parseRedisUrl(redis.url);
if (address === undefined) throw new Error(redis.url);
const store = new RunStore(await FarmRedis.open(address, { patienceMs: 5_000 }));
const nodes: NodeProcess[] = [];
try {
  nodes.push(...(await twoNodes()));
  const [first, second] = nodes.map(({ url }) => url);
  if (first === undefined || second === undefined) throw new Error('two nodes are needed');
  const empty = await simulate(first, 1);
  const [direct, one, two]: [number[], FarmRun[], FarmRun[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    direct.push((await simulate(first, calls)) - empty);
    one.push(await farm(`one-${round}`, [first]));
    two.push(await farm(`two-${round}`, [first, second]));
  }
  report(direct, one, two);
} finally {
  for (const node of nodes) await node.dispose();
  store.redis.close();
  await redis.dispose();
  rmSync(directory, { recursive: true, force: true });
}

/** Two nodes with the same chain, which has the contract. */
async function twoNodes(): Promise<NodeProcess[]> {
  const dataDirs = ['one', 'two'].map((name) => join(directory, name));
  const [one = '', two = ''] = dataDirs;
  const node = await NodeProcess.start({ dataDir: one, flags: ['--seal', 'instant'] });
  const contract = await deployCompute(node.url);
  await node.stop();
  cpSync(one, two, { recursive: true });
  const params = { contract, input: counting(Number(values.iterations)) };
  const line = `${JSON.stringify({ method: 'view_call', params })}\n`;
  writeFileSync(file, line.repeat(calls));
  writeFileSync(join(directory, 'one.ndjson'), line);
  return Promise.all(dataDirs.map((dataDir) => NodeProcess.start({ dataDir, flags: FLAGS })));
}

/** @returns the time of `heddle simulate` in seconds */
async function simulate(url: string, count: number): Promise<number> {
  const begun = performance.now();
  const input = count === 1 ? join(directory, 'one.ndjson') : file;
  const args = ['simulate', input, '--out', join(directory, `direct-${begun}`), '--url', url];
  const { code, stderr } = await runHeddle(args, { timeoutMs: TIMEOUT_MS });
  if (code !== 0) throw new Error(`simulate ended with ${code}: ${stderr}`);
  return (performance.now() - begun) / 1_000;
}

/** Runs all calls with one worker per node. */
async function farm(run: string, urls: readonly string[]): Promise<FarmRun> {
  const submit = ['farm', 'submit', file, '--name', run, '--url', urls[0] ?? '', '--redis', redis.url];
  const { code, stderr } = await runHeddle(submit, { timeoutMs: TIMEOUT_MS });
  if (code !== 0) throw new Error(`submit ended with ${code}: ${stderr}`);
  await store.queue(run).pause();
  const commandsBefore = await commandCount();
  const redisBefore = processCpuSeconds(redis.pid);
  const workers = urls.map((url) =>
    startHeddle(['farm', 'worker', '--url', url, '--redis', redis.url], { timeoutMs: TIMEOUT_MS }),
  );
  // The workers start while the queue is paused: their start does not count, as that of simulate does not.
  while ((await readReports(store.redis)).length < urls.length) await sleep(50);
  await sleep(SETTLE_MS);
  await store.queue(run).resume();
  const begunMs = Date.now();
  let { progress } = await store.read(run);
  while (progress.done < progress.jobs) {
    await sleep(50);
    ({ progress } = await store.read(run));
  }
  const { jobs, last_ms: lastMs = 0, input_bytes: inputBytes, result_bytes: resultBytes } = progress;
  if (progress.answered !== calls) throw new Error(JSON.stringify(progress));
  const workerCpuSeconds = workers.reduce((sum, { child }) => sum + processCpuSeconds(child.pid ?? 0), 0);
  const redisCpuSeconds = processCpuSeconds(redis.pid) - redisBefore;
  const redisCommands = (await commandCount()) - commandsBefore;
  for (const { child } of workers) child.kill('SIGTERM');
  await Promise.all(workers.map(({ ended }) => ended));
  await store.remove(run);
  const seconds = (lastMs - begunMs) / 1_000;
  return { seconds, jobs, workerCpuSeconds, redisCpuSeconds, redisCommands, inputBytes, resultBytes };
}

async function commandCount(): Promise<number> {
  const info = await store.redis.run((client) => client.info('stats'));
  return Number(/total_commands_processed:(\d+)/.exec(info)?.[1]);
}

function report(direct: readonly number[], one: readonly FarmRun[], two: readonly FarmRun[]): void {
  const middle = (runs: readonly FarmRun[], of: (run: FarmRun) => number): number =>
    quantile(runs.map(of), 0.5);
  const ratios = (of: (round: number) => number): string =>
    direct
      .map((_, round) => of(round))
      .sort((a, b) => a - b)
      .map((ratio) => ratio.toFixed(3))
      .join(', ');
  const byRound = (of: (round: number) => number): readonly number[] => direct.map((_, round) => of(round));
  const table = `calls of ${values.iterations} iterations`;
  const oneSeconds = one.map(({ seconds }) => seconds);
  recordCost(`${table}: farm with one node`, 's', oneSeconds, {
    baselines: [{ name: 'heddle simulate', rounds: direct }],
    aim: { of: 'ratio', at: 'most', bound: 1.05 },
  });
  recordGain(
    `${table}: speed of two nodes over one`,
    '×',
    byRound((round) => (oneSeconds[round] ?? 0) / (two[round]?.seconds ?? 1)),
    { aim: { of: 'value', at: 'least', bound: 1.8 } },
  );
  const costs = { worker: 'CPU of the worker per call', redis: 'CPU of Redis per job' };
  recordCost(
    `${table}: ${costs.worker}`,
    'µs',
    one.map((run) => (run.workerCpuSeconds / calls) * 1e6),
  );
  recordCost(
    `${table}: ${costs.redis}`,
    'µs',
    one.map((run) => (run.redisCpuSeconds / run.jobs) * 1e6),
  );
  recordCost(
    `${table}: Redis commands per job`,
    'count',
    one.map((run) => run.redisCommands / run.jobs),
  );
  printReport(`${calls} calls of ${values.iterations} iterations, ${rounds} rounds`, {
    'heddle simulate, s': quantile(direct, 0.5),
    'farm with one node, s': middle(one, ({ seconds }) => seconds),
    'farm with two nodes, s': middle(two, ({ seconds }) => seconds),
    'farm / simulate, by round': ratios((round) => (one[round]?.seconds ?? 0) / (direct[round] ?? 1)),
    'one node / two nodes, by round': ratios(
      (round) => (one[round]?.seconds ?? 0) / (two[round]?.seconds ?? 1),
    ),
    jobs: middle(one, ({ jobs }) => jobs),
    'worker CPU µs/call': middle(one, ({ workerCpuSeconds }) => (workerCpuSeconds / calls) * 1e6),
    'Redis CPU µs/job': middle(one, ({ redisCpuSeconds, jobs }) => (redisCpuSeconds / jobs) * 1e6),
    'Redis commands/job': middle(one, ({ redisCommands, jobs }) => redisCommands / jobs),
    'Redis bytes/call, calls': middle(one, ({ inputBytes }) => inputBytes / calls),
    'Redis bytes/call, results': middle(one, ({ resultBytes }) => resultBytes / calls),
  });
}
