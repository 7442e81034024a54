/**
 * The first call of contracts of about 100 KiB over HTTP, on a node that has just started on their chain: a worker reads
 * the contract, compiles it and runs it. A call of another contract loads the engine itself before. Aim: 50 ms.
 *
 *     npm run bench -- cold-calls [--contracts 7] [--node-flag=--x]
 */
import { connect, devAccount } from '../src/client/client.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../test/support/nodes/node-process.js';
import { deployCode } from './macro/nodes/heddle-contracts.js';
import { recordFigure } from './results/record.js';
import { benchArguments } from './support/bench-arguments.js';
import { largeContract } from './support/large-contract.js';
import { quantile } from './support/statistics.js';

const AIM_MS = 50;
const values = benchArguments({
  contracts: { type: 'string', default: '7' },
  'node-flag': { type: 'string', multiple: true, default: [] },
});
const count = Number(values.contracts);
if (!Number.isInteger(count) || count < 1) {
  throw new RangeError(`--contracts: expected a count from 1, got ${values.contracts}`);
}

async function deploy(dataDir: string): Promise<readonly Uint8Array[]> {
  const node = await NodeProcess.start({ dataDir, flags: values['node-flag'] });
  try {
    const sender = connect(node.url).sender(devAccount(0));
    const contracts: Uint8Array[] = [];
    for (let seed = 0; seed <= count; seed++) contracts.push(await deployCode(sender, largeContract(seed)));
    await node.stop();
    return contracts;
  } finally {
    await node.dispose();
  }
}

async function firstCalls(dataDir: string, contracts: readonly Uint8Array[]): Promise<readonly number[]> {
  const node = await NodeProcess.start({ dataDir, flags: values['node-flag'] });
  try {
    const client = connect(node.url);
    const samples: number[] = [];
    for (const contract of contracts) {
      const begin = performance.now();
      const { status } = await client.view_call({ contract, input: new Uint8Array(0) });
      samples.push(performance.now() - begin);
      if (status.type !== 'success') throw new Error(`a large contract ended with ${JSON.stringify(status)}`);
    }
    await node.stop();
    // The first one loaded the engine.
    return samples.slice(1);
  } finally {
    await node.dispose();
  }
}

const dataDir = temporaryDirectory();
try {
  const rounds = await firstCalls(dataDir, await deploy(dataDir));
  recordFigure({
    name: 'first call of a large contract',
    unit: 'ms',
    better: 'lower',
    rounds,
    aim: { of: 'value', at: 'most', bound: AIM_MS },
  });
  const size = (largeContract(0).length / 1024).toFixed(0);
  console.log(
    `first call of a contract of ${size} KiB: median ${quantile(rounds, 0.5).toFixed(1)} ms, ` +
      `longest ${Math.max(...rounds).toFixed(1)} ms (aim ${AIM_MS})`,
  );
} finally {
  removeDirectory(dataDir);
}
