/**
 * Rate of calls that compute for about a millisecond by `--workers`, and time of a block of such calls by the workers
 * that share it.
 *
 *     npm run bench -- growth-workers [--workers 1,2,4,8] [--rounds 3] [--milliseconds 1000] [--calls 300]
 *
 * No power law is expected: both improve until the processors are busy, and must not get worse from there.
 */
import { connect, devAccount } from '../../src/client/client.js';
import { toPrefixedHex } from '../../src/idl/hex.js';
import { NodeProcess } from '../../test/support/nodes/node-process.js';
import { deployExample } from '../macro/nodes/heddle-contracts.js';
import { ParallelWorld } from '../parallel/parallel-world.js';
import { benchArguments } from '../support/bench-arguments.js';
import { threadLoad } from '../support/request-load.js';
import { rpcBody } from '../support/rpc-body.js';
import { Growth } from './parts/growth.js';
import { measureCalls } from './parts/measured-calls.js';
import { sizes } from './parts/sizes.js';

const values = benchArguments({
  workers: { type: 'string', default: '1,2,4,8' },
  rounds: { type: 'string', default: '3' },
  milliseconds: { type: 'string', default: '1000' },
  calls: { type: 'string', default: '300' },
});
const rounds = Number(values.rounds);
const milliseconds = Number(values.milliseconds);
const counts = sizes('workers', values.workers);

/** Twice as many as the workers can be, so that none waits for a call. */
const CONNECTIONS = 16;
/** Iterations of the compute contract's integer loop that take about a millisecond. */
const ITERATIONS = 620_000;

const RATE = 'view calls of 1 ms';
const LATENCY = 'view calls of 1 ms: p99';
const BLOCK = 'block of calls of 1 ms';

async function calls(workers: number): Promise<{ readonly [name: string]: readonly number[] }> {
  const node = await NodeProcess.start({ flags: ['--workers', String(workers)] });
  const load = threadLoad();
  try {
    const compute = await deployExample(connect(node.url).sender(devAccount(0)), 'compute');
    const body = rpcBody('view_call', {
      contract: toPrefixedHex(compute.address),
      input: toPrefixedHex(compute.input('count', [ITERATIONS])),
    });
    const task = { bodies: [body], connections: CONNECTIONS, milliseconds };
    await measureCalls(load, node, task);
    const measured = [];
    for (let round = 0; round < rounds; round++) measured.push(await measureCalls(load, node, task));
    return { [RATE]: measured.map(({ rate }) => rate), [LATENCY]: measured.map(({ p99 }) => p99) };
  } finally {
    await load.stop();
    await node.dispose();
  }
}

const world = await ParallelWorld.open(Number(values.calls) + 1);
try {
  const growth = new Growth('workers', [
    { name: RATE, unit: '/s', better: 'higher' },
    { name: LATENCY, unit: 'ms', better: 'lower' },
    { name: BLOCK, unit: 'ms', better: 'lower' },
  ]);
  for (const workers of counts) {
    const block = world.computing(Number(values.calls), 0);
    const { sharedMs } = await world.compare(block, { workers, foreseen: true, rounds, unmeasured: 1 });
    growth.add(workers, { ...(await calls(workers)), [BLOCK]: sharedMs });
  }
  growth.finish();
} finally {
  await world.close();
}
