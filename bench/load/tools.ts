// Calls per second from the node's own tools to a node on the same machine, and the CPU cost on both sides:
//   npm run bench -- tools [--calls 200000] [--seconds 10] [--only simulate]
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { connect } from '../../src/client/client.js';
import type { LoadReport } from '../../src/load/load-report.js';
import { ALICE, alice, deployOf } from '../../test/support/actions.js';
import { text } from '../../test/support/hex.js';
import { NodeProcess, startHeddle } from '../../test/support/nodes/node-process.js';
import { processMemory } from '../../test/support/nodes/process-memory.js';
import { contractAbi, contractCode } from '../../test/support/worlds/contract-world.js';
import { benchArguments } from '../support/bench-arguments.js';
import { atLeast, recordCost, recordGain } from '../support/record-values.js';
import { processCpuSeconds } from '../support/statistics.js';

const values = benchArguments({
  calls: { type: 'string', default: '200000' },
  seconds: { type: 'string', default: '10' },
  only: { type: 'string' },
});
const calls = Number(values.calls);
const seconds = values.seconds;
const directory = mkdtempSync(join(tmpdir(), 'heddle-tools-'));

interface Figures {
  readonly what: string;
  readonly 'a second': number;
  readonly 'tool µs': string;
  readonly 'node µs': string;
  /** Resident memory of the tool after each eighth of the run. */
  readonly 'tool MiB': string;
}

/** Work per second to reach on two quiet cores, by tool. */
const AIMS: Readonly<Record<string, number>> = { simulate: 15_000, load: 10_000, replay: 5_000 };

/** Runs a tool beside the node. @param count called after the tool has ended; returns the amount of work done */
async function measure(
  what: string,
  node: NodeProcess,
  args: readonly string[],
  count: (wallSeconds: number) => { readonly done: number; readonly perSecond: number },
): Promise<Figures> {
  const before = processCpuSeconds(node.pid);
  const begun = performance.now();
  const run = startHeddle([...args, '--url', node.url], { timeoutMs: 600_000 });
  const { pid } = run.child;
  let spent = 0;
  const memory: number[] = [];
  const sampling = setInterval(() => {
    // The process is gone between its exit and the exit event.
    if (pid === undefined || run.child.exitCode !== null) return;
    spent = processCpuSeconds(pid);
    memory.push(processMemory(pid).residentMiB);
  }, 100);
  const { code, stderr } = await run.ended;
  clearInterval(sampling);
  if (code !== 0) throw new Error(`heddle ${args.join(' ')} ended with ${code}: ${stderr.slice(-500)}`);
  const { done, perSecond } = count((performance.now() - begun) / 1_000);
  const nodeSeconds = processCpuSeconds(node.pid) - before;
  const micros = (of: number) => ((of / done) * 1e6).toFixed(0);
  const [tool = ''] = args;
  recordGain(`${what}: done`, '/s', perSecond, atLeast(AIMS[tool] ?? 0));
  recordCost(`${what}: CPU of the tool per call`, 'µs', (spent / done) * 1e6);
  recordCost(`${what}: CPU of the node per call`, 'µs', (nodeSeconds / done) * 1e6);
  recordCost(`${what}: peak memory of the tool`, 'MiB', Math.max(...memory));
  const eighth = Math.max(1, Math.floor(memory.length / 8));
  return {
    what,
    'a second': Math.round(perSecond),
    'tool µs': micros(spent),
    'node µs': micros(nodeSeconds),
    'tool MiB': memory
      .filter((_, place) => place % eighth === eighth - 1)
      .map((mib) => mib.toFixed(0))
      .join(' '),
  };
}

async function simulate(node: NodeProcess): Promise<Figures> {
  const token = contractAbi('token');
  const init = token.function('init').encodeCall(['Thread', 'THR', 0, '1000000', ALICE, ALICE]);
  const { receipt } = await connect(node.url)
    .sender(alice)
    .send(deployOf(Uint8Array.from(contractCode('token')), init), {
      gasLimit: 20_000_000n,
      wait: 'included',
    });
  const contract = text(receipt.contract ?? new Uint8Array(0));
  const input = text(token.function('balance_of').encodeCall([ALICE]));
  const file = join(directory, 'calls.ndjson');
  const lines = createWriteStream(file);
  for (let id = 0; id < calls; id++) {
    const room = lines.write(`${JSON.stringify({ method: 'view_call', params: { contract, input }, id })}\n`);
    if (!room) await once(lines, 'drain');
  }
  await finished(lines.end());
  const args = ['simulate', file, '--out', join(directory, 'results.ndjson')];
  return await measure('simulate: a token’s balance', node, args, (wall) => ({
    done: calls,
    perSecond: calls / wall,
  }));
}

async function load(node: NodeProcess): Promise<Figures> {
  const file = join(directory, 'load.json');
  const args = ['load', '--rate', '20000', '--duration', seconds, '--report', file];
  return await measure('load: transfers signed and sealed', node, args, (wall) => {
    const { sealed } = (JSON.parse(readFileSync(file, 'utf8')) as LoadReport).totals;
    return { done: sealed, perSecond: sealed / wall };
  });
}

async function replay(node: NodeProcess): Promise<Figures> {
  const sent = startHeddle(
    ['load', '--profile', 'token', '--rate', '2500', '--duration', seconds, '--url', node.url],
    { timeoutMs: 600_000 },
  );
  await sent.ended;
  const out = join(directory, 'traces.ndjson');
  return await measure('replay: token transfers', node, ['replay', '--from', '1', '--out', out], (wall) => {
    const traces = readFileSync(out).reduce((count, byte) => count + (byte === 0x0a ? 1 : 0), 0);
    return { done: traces, perSecond: traces / wall };
  });
}

const TOOLS = { simulate, load, replay };
const names = (values.only === undefined ? Object.keys(TOOLS) : [values.only]) as (keyof typeof TOOLS)[];
for (const name of names) {
  if (!(name in TOOLS))
    throw new Error(`--only: expected one of ${Object.keys(TOOLS).join(', ')}, got ${name}`);
}
try {
  const figures: Figures[] = [];
  for (const name of names) {
    const node = await NodeProcess.start();
    try {
      figures.push(await TOOLS[name](node));
    } finally {
      await node.dispose();
    }
  }
  console.table(figures);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
