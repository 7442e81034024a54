/**
 * Contract calls over HTTP, `view_call` of Heddle against `eth_call` of anvil, alternating in one run with the same
 * client: a token's balance, a simulated transfer, the same transfer traced (`chain_traceCall` against
 * `debug_traceCall`) and estimated (`tx_simulate` against `eth_estimateGas`), an integer loop, chained hashes. Heddle
 * alone is also measured for the first call of large contracts, and for the cost that the workers add to a call.
 *
 *     npm run bench -- compare [--anvil PROGRAM] [--rounds 3] [--milliseconds 1000] [--connections 16,64]
 *         [--client thread|wrk] [--only TEXT] [--node-flag=--x]
 *
 * `--anvil` is looked up on the PATH by default; without it only Heddle is measured. The answers of both nodes are
 * checked before anything is timed. Both servers share the machine with the client, so only the ratios are reliable.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { connect, devAccount } from '../../src/client/client.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../../test/support/node-process.js';
import { largeContract } from '../support/large-contract.js';
import { type RequestLoad, threadLoad, wrkLoad } from '../support/request-load.js';
import { printReport, processCpuSeconds, quantile } from '../support/statistics.js';
import { Anvil, anvilVersion } from './anvil.js';
import { type CallCase, callCases, prepareAnvil, tokenInit } from './call-cases.js';
import { coldCalls } from './cold-calls.js';
import { type DeployedContract, deployCode, deployExample } from './heddle-contracts.js';
import { type PoolOverhead, poolOverhead } from './pool-overhead.js';

const { values } = parseArgs({
  options: {
    anvil: { type: 'string', default: 'anvil' },
    rounds: { type: 'string', default: '3' },
    milliseconds: { type: 'string', default: '1000' },
    connections: { type: 'string', default: '16,64' },
    client: { type: 'string', default: 'thread' },
    only: { type: 'string', default: '' },
    'node-flag': { type: 'string', multiple: true, default: [] },
  },
});

const ROUNDS = Number(values.rounds);
const COLD_CONTRACTS = 7;
const COLD_TARGET_MS = 50;
const POOL_IN_FLIGHT = 64;
const POOL_TARGET_MICROS = 4;

/**
 * Rates are answers per second, and micros the server's CPU time per answer on all its threads; both are medians of
 * the rounds. `ratio` is the median of the ratios of rates, round by round.
 */
interface Comparison {
  readonly work: string;
  readonly connections: number;
  readonly heddle: number;
  readonly heddleMicros: number;
  readonly anvil?: number;
  readonly anvilMicros?: number;
  readonly ratio?: number;
  /** Anvil's CPU time divided by Heddle's: the ratio of rates if CPU time alone limited them. */
  readonly cpuRatio?: number;
  readonly target?: number;
}

function jsonRpc(method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

interface ViewJson {
  readonly status: { readonly type: string };
  readonly output: string;
  readonly logs: unknown[];
}

/** The request to Heddle for a case. */
function ourBody({ way, view }: CallCase): string {
  if (way === 'estimated') return jsonRpc('tx_simulate', view);
  return jsonRpc(isTrace(way) ? 'chain_traceCall' : 'view_call', view);
}

function isTrace(way: CallCase['way']): boolean {
  return way === 'traced' || way === 'call tree';
}

function theirCall({ way, ethCall }: CallCase): [method: string, params: readonly unknown[]] {
  if (way === 'estimated') return ['eth_estimateGas', [ethCall, 'latest']];
  if (!isTrace(way)) return ['eth_call', [ethCall, 'latest']];
  const tracer = { tracer: 'callTracer', tracerConfig: { withLog: true } };
  return ['debug_traceCall', way === 'traced' ? [ethCall, 'latest'] : [ethCall, 'latest', tracer]];
}

async function checkHeddle(url: string, work: CallCase): Promise<void> {
  const { name, way, viewOutput, logs } = work;
  const response = await fetch(`${url}/v2/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: ourBody(work),
  });
  const text = await response.text();
  const answer = (JSON.parse(text) as { readonly result?: unknown }).result;
  const trace = answer as { readonly result?: ViewJson; readonly trace?: { readonly call_tree?: ViewJson } };
  if (isTrace(way) && trace.trace?.call_tree?.logs.length !== logs) {
    throw new Error(`${name}: expected a call tree with ${logs} events from chain_traceCall, got ${text}`);
  }
  const result = isTrace(way) ? trace.result : (answer as ViewJson | undefined);
  if (result?.status.type !== 'success' || result.output !== viewOutput || result.logs.length !== logs) {
    throw new Error(`${name}: expected ${viewOutput} and ${logs} events, got ${text}`);
  }
}

async function checkAnvil(anvil: Anvil, work: CallCase): Promise<void> {
  const { name, way, ethOutput } = work;
  const [method, params] = theirCall(work);
  const answer = await anvil.call(method, params);
  const traced = answer as { readonly output?: string; readonly returnValue?: string };
  const output = isTrace(way) ? (traced.output ?? traced.returnValue) : answer;
  const isRight = way === 'estimated' ? Number(output) > 21_000 : output === ethOutput;
  if (!isRight) {
    throw new Error(`${name}: expected ${ethOutput} from ${method}, got ${JSON.stringify(answer)}`);
  }
}

/** One round: the rate, and the server's CPU time per answer in microseconds. */
async function round(
  load: RequestLoad,
  task: Parameters<RequestLoad['measure']>[0],
  pids: readonly number[],
): Promise<{ readonly rate: number; readonly micros: number }> {
  const cpuSeconds = (): number => pids.reduce((sum, pid) => sum + processCpuSeconds(pid), 0);
  const before = cpuSeconds();
  const rate = await load.measure(task);
  const answers = (rate * task.milliseconds) / 1000;
  return { rate, micros: ((cpuSeconds() - before) * 1e6) / answers };
}

async function compare(
  load: RequestLoad,
  node: NodeProcess,
  anvil: Anvil | undefined,
  work: CallCase,
  connections: number,
): Promise<Comparison> {
  const task = { connections, milliseconds: Number(values.milliseconds) };
  const ours = { ...task, url: node.url, path: '/v2/rpc', body: ourBody(work) };
  const theirs = { ...task, path: '/', body: jsonRpc(...theirCall(work)) };
  const heddleRounds: { readonly rate: number; readonly micros: number }[] = [];
  const anvilRounds: { readonly rate: number; readonly micros: number }[] = [];
  // The first round is unmeasured and warms both up. The servers alternate, so that other load affects both.
  for (let count = 0; count <= ROUNDS; count++) {
    if (anvil !== undefined) {
      const measured = await round(load, { ...theirs, url: anvil.url }, anvil.pids);
      if (count > 0) anvilRounds.push(measured);
    }
    const measured = await round(load, ours, [node.pid]);
    if (count > 0) heddleRounds.push(measured);
  }
  const median = (rounds: typeof heddleRounds, of: 'rate' | 'micros'): number =>
    quantile(
      rounds.map((each) => each[of]),
      0.5,
    );
  const heddle = { heddle: median(heddleRounds, 'rate'), heddleMicros: median(heddleRounds, 'micros') };
  if (anvil === undefined) return { work: work.name, connections, ...heddle };
  const ratios = heddleRounds.map(({ rate }, i) => rate / (anvilRounds[i]?.rate ?? Number.POSITIVE_INFINITY));
  const target = work.targets[connections];
  const anvilMicros = median(anvilRounds, 'micros');
  return {
    work: work.name,
    connections,
    ...heddle,
    anvil: median(anvilRounds, 'rate'),
    anvilMicros,
    ratio: quantile(ratios, 0.5),
    cpuRatio: anvilMicros / heddle.heddleMicros,
    ...(target !== undefined && { target }),
  };
}

function printComparison(comparison: Comparison): void {
  const { work, connections, heddle, heddleMicros, anvil, anvilMicros, ratio, cpuRatio, target } = comparison;
  const figures = (rate: number, micros = 0): string =>
    `${Math.round(rate).toLocaleString('en').padStart(7)}/s, CPU ${micros.toFixed(micros < 100 ? 1 : 0).padStart(5)} µs`;
  const columns = [
    work.padEnd(26),
    `${connections} connections`.padStart(15),
    `heddle ${figures(heddle, heddleMicros)}`,
  ];
  if (anvil !== undefined && ratio !== undefined) {
    const ofCpu = cpuRatio?.toFixed(2) ?? '';
    columns.push(
      `anvil ${figures(anvil, anvilMicros)}`,
      `ratio ${ratio.toFixed(2).padStart(6)}, of CPU ${ofCpu.padStart(5)}`,
    );
    if (target !== undefined) columns.push(`aim ${target}${ratio < target ? ', missed' : ''}`);
  }
  console.log(columns.join('  '));
}

interface Prepared {
  readonly token: DeployedContract;
  readonly comparisons: readonly Comparison[];
  readonly large: readonly Uint8Array[];
}

async function compareAll(node: NodeProcess, anvil: Anvil | undefined, load: RequestLoad): Promise<Prepared> {
  const alice = devAccount(0);
  const accounts = { owner: alice.address, recipient: devAccount(1).address };
  const sender = connect(node.url).sender(alice);
  const token = await deployExample(sender, 'token', tokenInit(accounts.owner));
  const cases = await callCases(sender, token, accounts);
  if (anvil !== undefined) await prepareAnvil(anvil, accounts);
  for (const work of cases) {
    await checkHeddle(node.url, work);
    if (anvil !== undefined) await checkAnvil(anvil, work);
  }
  const large: Uint8Array[] = [];
  for (let seed = 0; seed < COLD_CONTRACTS; seed++) large.push(await deployCode(sender, largeContract(seed)));
  const comparisons: Comparison[] = [];
  for (const work of cases.filter(({ name }) => name.includes(values.only))) {
    for (const connections of values.connections.split(',').map(Number)) {
      const comparison = await compare(load, node, anvil, work, connections);
      printComparison(comparison);
      comparisons.push(comparison);
    }
  }
  return { token, comparisons, large };
}

async function run(dataDir: string, anvil: Anvil | undefined, version: string | undefined): Promise<void> {
  const load = values.client === 'wrk' ? wrkLoad() : threadLoad();
  console.log(
    `load from ${load.name}; load average before ${loadavg()
      .map((each) => each.toFixed(1))
      .join(' ')}`,
  );
  const owner = devAccount(0).address;
  let prepared: Prepared;
  const node = await NodeProcess.start({ dataDir, flags: values['node-flag'] });
  try {
    prepared = await compareAll(node, anvil, load);
    await node.stop();
  } finally {
    await load.stop();
    await node.dispose();
  }
  const { token, comparisons, large } = prepared;
  const input = token.input('balance_of', [owner]);
  const cold = await coldCalls(dataDir, { contract: token.address, input }, large);
  const pool = await poolOverhead({
    dataDir,
    contract: token.address,
    code: token.code,
    init: token.input('init', tokenInit(owner)),
    input,
    inFlight: POOL_IN_FLIGHT,
    rounds: Math.max(3, ROUNDS),
  });
  report(comparisons, cold, pool, version);
}

function report(
  comparisons: readonly Comparison[],
  cold: readonly number[],
  pool: PoolOverhead,
  version: string | undefined,
): void {
  printReport('First calls and the way to the workers', {
    [`first call of ${(largeContract(0).length / 1024).toFixed(0)} KiB, median ms (aim: ${COLD_TARGET_MS})`]:
      quantile(cold, 0.5),
    'first call, worst ms': Math.max(...cold),
    [`token balance through the pool, ${POOL_IN_FLIGHT} in flight, µs a call`]: pool.whole.wall,
    'a worker’s part of it, in one thread, µs': pool.worker.wall,
    'the contract’s own time, µs': pool.contract.wall,
    [`overhead of the pool, whole minus contract, µs (aim: ${POOL_TARGET_MICROS})`]:
      pool.whole.wall - pool.contract.wall,
    'CPU time of the same on all threads: whole, µs': pool.whole.cpu,
    'a worker’s part, CPU µs': pool.worker.cpu,
    'the contract’s own, CPU µs': pool.contract.cpu,
  });
  const loadAverage = loadavg().map((each) => Number(each.toFixed(2)));
  console.log(JSON.stringify({ anvil: version ?? null, comparisons, cold, pool, loadAverage }));
}

const version = await anvilVersion(values.anvil);
const anvil = version === undefined ? undefined : await Anvil.start(values.anvil);
console.log(
  version === undefined
    ? `there is no program ${values.anvil}: Heddle’s figures stand alone (install anvil from @foundry-rs/anvil, name it with --anvil)`
    : `anvil ${version}`,
);
const dataDir = temporaryDirectory();
try {
  await run(dataDir, anvil, version);
} finally {
  anvil?.stop();
  removeDirectory(dataDir);
}
