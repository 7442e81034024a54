/**
 * What kept results gain on a mix of calls: part of them repeat the fixed queries of a dashboard (token balances at a
 * fixed height, receipts, blocks, logs), the others ask once, either about the tip, which no result is kept of, or
 * about a fixed height, whose result could be kept. Two nodes, with and without `--result-cache`, are called
 * alternately in one run; the figures are the processor time of the whole node per call, from `/metrics`.
 *
 * Run: `npm run bench -- kept [--rounds 5] [--calls 3000]`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, devAccount } from '../src/client/client.js';
import { RpcClient } from '../test/outside/rpc.js';
import { ALICE, alice, deployOf } from '../test/support/actions.js';
import { text } from '../test/support/hex.js';
import { NodeProcess } from '../test/support/nodes/node-process.js';
import { metricOf } from '../test/support/operations/metric-of.js';
import { CONTRACTS, contractAbi, contractCode } from '../test/support/worlds/contract-world.js';
import { benchArguments } from './support/bench-arguments.js';
import { recordCost } from './support/record-values.js';
import { quantile } from './support/statistics.js';

const values = benchArguments({
  rounds: { type: 'string', default: '5' },
  calls: { type: 'string', default: '3000' },
});
const rounds = Number(values.rounds);
const calls = Number(values.calls);
const CONNECTIONS = 16;
const TRANSFERS = 200;
const GOLDEN_RATIO = 0.618033988749895;
/** Share of the calls that repeat others, and the part of the time without kept results that the mix may take. */
const MIXES = [
  { repeats: 0, bound: undefined },
  { repeats: 0.2, bound: 0.95 },
  { repeats: 0.5, bound: 0.8 },
] as const;
/** What the calls that are made once ask about. */
const SUBJECTS = ['tip', 'fixed height'] as const;

interface Target {
  readonly node: NodeProcess;
  readonly rpc: RpcClient;
  /** Bodies that are sent again and again. */
  readonly repeated: readonly string[];
  /** A body that is never sent again. */
  readonly once: (subject: (typeof SUBJECTS)[number]) => string;
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
  const token = text(contract);
  const at = { type: 'height', value: block };
  const balance = (owner: string, place: object) =>
    body('view_call', { contract: token, method: 'balance_of', args: { owner }, ...place });
  let addresses = 0;
  const newAddress = () => `0x${(++addresses).toString(16).padStart(40, '0')}`;
  const aboutTip = [
    () => body('status', {}),
    () => body('account', { address: newAddress() }),
    () => balance(newAddress(), {}),
    () => body('list_blocks', { limit: 10 }),
  ];
  let asked = 0;
  return {
    node,
    rpc: new RpcClient(node.url),
    repeated: [
      ...Array.from({ length: 10 }, () => balance(newAddress(), { at })),
      ...sent.slice(0, 5).map(({ receipt }) => body('tx_receipt', { tx_hash: text(receipt.tx_hash) })),
      body('get_block_summaries', { from_height: 1, to_height: block }),
      body('get_blocks', { from_height: block, to_height: block }),
      body('get_logs', { contract: token, from_height: 1, to_height: block }),
    ],
    once: (subject) =>
      subject === 'tip'
        ? (aboutTip[asked++ % aboutTip.length] ?? newAddress)()
        : balance(newAddress(), { at }),
  };
}

/** Processor time of the node per call, in microseconds. */
async function measure({ rpc }: Target, bodyOf: (call: number) => string): Promise<number> {
  const before = await metricOf(rpc, 'process_cpu_seconds_total');
  let left = calls;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left-- > 0) {
        const { body: answer } = await rpc.post(bodyOf(left));
        if (!answer.includes('"result"')) throw new Error(answer.toString());
      }
    }),
  );
  return ((await metricOf(rpc, 'process_cpu_seconds_total')) - before) * (1e6 / calls);
}

const targets = [await start([]), await start(['--result-cache', '0'])] as const;
try {
  for (const subject of SUBJECTS) {
    for (const { repeats, bound } of MIXES) {
      const times: [number[], number[]] = [[], []];
      for (let round = -1; round < rounds; round++) {
        for (const [which, { repeated, once }] of targets.entries()) {
          const time = await measure(targets[which as 0 | 1], (call) =>
            // Spreads the repeats evenly.
            (call * GOLDEN_RATIO) % 1 < repeats ? (repeated[call % repeated.length] ?? '') : once(subject),
          );
          // The first round warms up.
          if (round >= 0) times[which as 0 | 1].push(time);
        }
      }
      const name = `${repeats * 100} % repeats, others about ${subject}`;
      recordCost(`${name}: CPU of the node per call`, 'µs', times[0], {
        baselines: [{ name: 'not kept', rounds: times[1] }],
        ...(bound === undefined ? {} : { aim: { of: 'ratio', at: 'most', bound } }),
      });
      const [kept = 0, run = 0] = times.map((all) => quantile(all, 0.5));
      console.log(
        `${name.padEnd(40)} kept ${kept.toFixed(0).padStart(5)} µs   not kept ${run.toFixed(0).padStart(5)} µs   ratio ${(kept / run).toFixed(2)}`,
      );
    }
  }
} finally {
  for (const { rpc, node } of targets) {
    rpc.close();
    await node.dispose();
  }
}
