/**
 * Processor time of the node per compute unit that a call costs, for each method with the worst parameters that are
 * known. Aim: within a factor of ten of one price per microsecond, so that no method is a cheap way to keep a node busy.
 *
 * Run: `npm run bench -- cost-units [--milliseconds 300] [--only TEXT]`.
 */
import { rpcMethods } from '../../src/ledger/rpc-codecs.js';
import { RpcClient } from '../../test/outside/rpc.js';
import { heddleOk } from '../../test/support/nodes/command-line.js';
import { NodeProcess } from '../../test/support/nodes/node-process.js';
import { issueToken } from '../../test/support/tokens/issue-token.js';
import { recordFigure } from '../results/record.js';
import { benchArguments } from '../support/bench-arguments.js';
import { processCpuSeconds } from '../support/statistics.js';
import { type WorstCall, worstCalls } from './worst-calls.js';

const values = benchArguments({
  milliseconds: { type: 'string', default: '300' },
  only: { type: 'string', default: '' },
});

/** Microseconds of processor time that one unit pays for. */
const PRICE = 50;
const FACTOR = 10;
const UNITS = 1_000_000_000;
/** Below this, the processor time of a method is not told from the node's own. */
const LEAST_CPU_SECONDS = 0.1;
/** Calls that take less time are made by more connections at once, as they would be in a flood. */
const QUICK_MS = 20;

const node = await NodeProcess.start({
  flags: ['--max-call-ms', '20000', '--result-cache', '0', '--checkpoint-interval', '20'],
});
const { id, token } = await issueToken(node.dataDir, '--tier', 'admin', '--units', String(UNITS));
const rpc = new RpcClient(node.url, token);

/** Units move between the store and the front threads, so only a figure that stays is right. */
async function unitsLeft(): Promise<number> {
  for (let last = Number.NaN; ; ) {
    const shown = await heddleOk(['token', 'show', id, '--json', '--data-dir', node.dataDir]);
    const { left } = JSON.parse(shown) as { left: number };
    if (left === last) return left;
    last = left;
  }
}

interface Measured {
  readonly microseconds: number;
  readonly units: number;
}

async function measure({ method, params, fails }: WorstCall, idle: number): Promise<Measured | string> {
  const call = async (nth: number): Promise<string | undefined> => {
    try {
      await rpc.call(method, params(nth));
      return fails === undefined ? undefined : 'succeeded';
    } catch (error) {
      return fails?.test(String(error)) ? undefined : String(error).slice(0, 160);
    }
  };
  // The first calls are unmeasured, so that everything is compiled; interfaces are kept from then on.
  let nth = 0;
  const first = performance.now();
  for (; nth < 50 && performance.now() - first < 100; nth++) {
    const problem = await call(nth);
    if (problem !== undefined) return problem;
  }
  const isQuick = (performance.now() - first) / nth < QUICK_MS;
  const atOnce = isQuick ? 16 : 4;
  const left = await unitsLeft();
  const begun = performance.now();
  const cpu = processCpuSeconds(node.pid);
  let calls = 0;
  let used = 0;
  while (performance.now() - begun < Number(values.milliseconds) || used < LEAST_CPU_SECONDS) {
    await Promise.all(Array.from({ length: atOnce }, (_, i) => call(nth + i)));
    nth += atOnce;
    calls += atOnce;
    used = processCpuSeconds(node.pid) - cpu - (idle * (performance.now() - begun)) / 1_000;
  }
  const spent = left - (await unitsLeft());
  return { microseconds: (used * 1e6) / calls, units: spent / calls };
}

/** Admins alone call it, with the chunks of a snapshot. */
const UNMEASURED: ReadonlySet<string> = new Set(['import_snapshot_chunk']);

const rows: object[] = [];
try {
  const all = await worstCalls(node.url);
  const quietFrom = performance.now();
  const quietCpu = processCpuSeconds(node.pid);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const idle = ((processCpuSeconds(node.pid) - quietCpu) * 1_000) / (performance.now() - quietFrom);
  for (const each of all.filter(({ name }) => name.includes(values.only))) {
    const measured = await measure(each, idle);
    if (typeof measured === 'string') {
      rows.push({ method: each.name, problem: measured });
      console.log(`${each.name}: ${measured}`);
      continue;
    }
    const { microseconds, units } = measured;
    const perUnit = microseconds / units;
    const outside = perUnit > PRICE * FACTOR || perUnit < PRICE / FACTOR;
    rows.push({
      method: each.name,
      'µs a call': Math.round(microseconds),
      units: Number(units.toFixed(1)),
      'µs a unit': Number(perUnit.toFixed(1)),
      '': outside ? 'OUTSIDE' : '',
    });
    recordFigure({
      name: `${each.name}: processor time of a unit`,
      unit: 'µs',
      better: 'lower',
      rounds: [perUnit],
      aim: { of: 'value', at: 'most', bound: PRICE * FACTOR },
    });
  }
  console.table(rows);
  const measured = new Set(all.map(({ method }) => method));
  const missing = [...rpcMethods.keys()].filter((name) => !measured.has(name) && !UNMEASURED.has(name));
  if (missing.length > 0) throw new Error(`no call of ${missing.join(', ')} is measured`);
} finally {
  rpc.close();
  await node.dispose();
}
