/**
 * A kept result against the same call without it: `get_blocks` of one block with 200 transfers, and a token balance by
 * `view_call` at a fixed height. Two nodes, with and without `--result-cache`, are called alternately in one run; the
 * figures are the processor time of the whole node per call, from `/metrics`.
 *
 * Run: `npm run bench -- kept [--rounds 5] [--calls 4000]`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, devAccount } from '../src/client/client.js';
import { RpcClient } from '../test/outside/rpc.js';
import { ALICE, alice, BOB, deployOf } from '../test/support/actions.js';
import { CONTRACTS, contractAbi, contractCode } from '../test/support/contract-world.js';
import { text } from '../test/support/hex.js';
import { metricOf } from '../test/support/metric-of.js';
import { NodeProcess } from '../test/support/node-process.js';
import { benchArguments } from './support/bench-arguments.js';
import { recordCost } from './support/record-values.js';
import { quantile } from './support/statistics.js';

const values = benchArguments({
  rounds: { type: 'string', default: '5' },
  calls: { type: 'string', default: '4000' },
});
const rounds = Number(values.rounds);
const calls = Number(values.calls);
const CONNECTIONS = 16;
const TRANSFERS = 200;
/** Part of the time without kept results that a kept one may take. */
const AIMS: Readonly<Record<string, number>> = {
  'get_blocks, one block': 1 / 5,
  'view_call at a height': 1 / 3,
};

interface Target {
  readonly node: NodeProcess;
  readonly rpc: RpcClient;
  /** Bodies by name. */
  readonly bodies: Readonly<Record<string, string>>;
}

async function start(flags: readonly string[]): Promise<Target> {
  const node = await NodeProcess.start({ flags: ['--block-time', '250', ...flags] });
  const client = connect(node.url);
  const sender = client.sender(alice);
  const init = contractAbi('token')
    .function('init')
    .encodeCall(['Thread', 'THR', 0, '1000000', ALICE, ALICE]);
  const idl = readFileSync(join(CONTRACTS, 'token', 'token.idl'), 'utf8');
  const deployed = await sender.send(deployOf(Uint8Array.from(contractCode('token')), init, idl), {
    gasLimit: 20_000_000n,
    wait: 'included',
  });
  const { contract } = deployed.receipt;
  if (contract === undefined) throw new Error('the token was not deployed');
  const sent = await Promise.all(
    Array.from({ length: TRANSFERS }, () =>
      sender.transfer({ to: devAccount(1).address, amount: 1n, wait: 'included' }),
    ),
  );
  const heights = sent.map(({ receipt }) => Number(receipt.height));
  const fullest = Math.max(...heights.map((height) => heights.filter((other) => other === height).length));
  const block = heights.find((height) => heights.filter((other) => other === height).length === fullest) ?? 0;
  await client.close();
  const body = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return {
    node,
    rpc: new RpcClient(node.url),
    bodies: {
      'get_blocks, one block': body('get_blocks', { from_height: block, to_height: block }),
      'view_call at a height': body('view_call', {
        contract: text(contract),
        method: 'balance_of',
        args: { owner: BOB },
        at: { type: 'height', value: block },
      }),
    },
  };
}

/** Processor time of the node per call, in microseconds. */
async function measure({ rpc }: Target, body: string): Promise<number> {
  const before = await metricOf(rpc, 'process_cpu_seconds_total');
  let left = calls;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left-- > 0) {
        const { body: answer } = await rpc.post(body);
        if (!answer.includes('"result"')) throw new Error(answer.toString());
      }
    }),
  );
  return ((await metricOf(rpc, 'process_cpu_seconds_total')) - before) * (1e6 / calls);
}

const targets = [await start([]), await start(['--result-cache', '0'])] as const;
try {
  for (const name of Object.keys(targets[0].bodies)) {
    const times: [number[], number[]] = [[], []];
    for (let round = -1; round < rounds; round++) {
      for (const [which, target] of targets.entries()) {
        const time = await measure(target, target.bodies[name] ?? '');
        // The first round warms up.
        if (round >= 0) times[which as 0 | 1].push(time);
      }
    }
    const bound = AIMS[name];
    recordCost(`${name}: CPU of the node per call`, 'µs', times[0], {
      baselines: [{ name: 'not kept', rounds: times[1] }],
      ...(bound === undefined ? {} : { aim: { of: 'ratio', at: 'most', bound } }),
    });
    const [hit = 0, miss = 0] = times.map((all) => quantile(all, 0.5));
    console.log(
      `${name.padEnd(24)} kept ${hit.toFixed(0).padStart(5)} µs   run ${miss.toFixed(0).padStart(5)} µs   ratio ${(miss / hit).toFixed(1)}`,
    );
  }
} finally {
  for (const { rpc, node } of targets) {
    rpc.close();
    await node.dispose();
  }
}
