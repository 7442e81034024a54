/**
 * Latency of the tip (`status` against `eth_blockNumber`) while other connections keep the node busy with call traces
 * (`chain_traceCall` against `callTracer`), of Heddle and in turn of anvil. One connection asks for the tip, with one
 * request in flight.
 *
 *     npm run bench -- status-beside-traces [--help]
 */
import { Command } from 'commander';
import { connect, devAccount } from '../../src/client/client.js';
import type { Baseline } from '../results/figure.js';
import { LatencyProbe } from '../support/latency-probe.js';
import { atMost, recordCost, recordGain } from '../support/record-values.js';
import type { RequestLoad } from '../support/request-load.js';
import { quantile } from '../support/statistics.js';
import { type Contestant, ethereumContestant, heddleContestant, startNodes } from './nodes/contestant.js';
import { addNodeOptions, chosenLoad, count, ethereumPrograms, type NodeOptions } from './options.js';
import { runMacro } from './run-macro.js';
import { answerOf } from './side-by-side.js';
import { callWork, prepareEthereum, TRACE } from './work/call-work.js';
import { readWork, TIP } from './work/read-work.js';
import type { Exchange, Work } from './work/work.js';

const WARM_UP_MS = 3_000;
const PROBE_INTERVAL_MS = 2;
/** Share of a probe's first answers that don't count: its own code is cold, and the load may not have begun. */
const FIRST_SHARE = 0.1;
const AIM_MS = { p50: 1, p99: 5 };

interface Options extends NodeOptions {
  readonly milliseconds: number;
  readonly connections: number;
}

interface Sample {
  /** Traces per second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

interface Entry {
  readonly contestant: Contestant;
  readonly tip: Exchange;
  readonly trace: Exchange;
  readonly samples: Sample[];
}

const command = addNodeOptions(
  new Command('status-beside-traces').description('Latency of the tip beside call traces.'),
  { rounds: 4 },
)
  .option('--milliseconds <MS>', 'length of a round', count, 2_000)
  .option('--connections <COUNT>', 'connections with traces', count, 64)
  .parse();
const options = command.opts<Options>();
const owner = devAccount(0);
const accounts = { owner: owner.address, recipient: devAccount(1).address };

function named(work: readonly Work[], name: string): Work {
  const found = work.find((each) => each.name === name);
  if (found === undefined) throw new RangeError(`there is no work ${name}`);
  return found;
}

async function sampleOf({ contestant, tip, trace }: Entry, load: RequestLoad): Promise<Sample> {
  const { url, path } = contestant;
  const probe = new LatencyProbe({ url, path, body: tip.body, intervalMs: PROBE_INTERVAL_MS });
  const { connections, milliseconds } = options;
  const rate = await load.measure({ url, path, body: trace.body, connections, milliseconds });
  const answers = await probe.finish();
  const times = answers.slice(FIRST_SHARE * answers.length);
  return { rate, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

function print(name: string, { rate, p50, p99 }: Sample): void {
  const traces = `${Math.round(rate).toLocaleString('en').padStart(7)} traces/s`;
  console.log(`${name.padEnd(8)}${traces}  status p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`);
}

function record([heddle, ...others]: readonly Entry[]): void {
  if (heddle === undefined) return;
  const title = `status beside traces, ${options.connections} connections`;
  const rounds = (of: keyof Sample, { samples }: Entry): readonly number[] =>
    samples.map((sample) => sample[of]);
  const baselines = (of: keyof Sample): { readonly baselines?: readonly Baseline[] } =>
    others.length === 0
      ? {}
      : { baselines: others.map((each) => ({ name: each.contestant.name, rounds: rounds(of, each) })) };
  for (const of of ['p50', 'p99'] as const) {
    const name = `${title}: ${of}`;
    recordCost(name, 'ms', rounds(of, heddle), { ...baselines(of), ...atMost(AIM_MS[of]) });
  }
  recordGain(`${title}: traces`, '/s', rounds('rate', heddle), baselines('rate'));
}

await runMacro(async () => {
  const programs = await ethereumPrograms(options, ['anvil']);
  const load = chosenLoad(undefined);
  console.log(`load from ${load.name}`);
  try {
    const nodes = await startNodes(programs, options.nodeFlag);
    try {
      const trace = named(await callWork(connect(nodes.heddle.url).sender(owner), accounts), TRACE);
      const tip = named(readWork(), TIP);
      for (const node of nodes.ethereum) await prepareEthereum(node, accounts);
      const entries: readonly Entry[] = [
        { contestant: heddleContestant(nodes.heddle), tip: tip.heddle, trace: trace.heddle, samples: [] },
        ...nodes.ethereum.map((node) => ({
          contestant: ethereumContestant(node),
          tip: tip.ethereum,
          trace: trace.ethereum,
          samples: [],
        })),
      ];
      for (const { contestant, tip: read, trace: call } of entries) {
        await answerOf(TIP, contestant, read);
        await answerOf(TRACE, contestant, call);
        const { url, path } = contestant;
        const { connections } = options;
        await load.count({ url, path, body: call.body, connections, milliseconds: WARM_UP_MS });
      }
      for (let round = 0; round < options.rounds; round++) {
        for (const entry of entries) {
          const sample = await sampleOf(entry, load);
          entry.samples.push(sample);
          print(entry.contestant.name, sample);
        }
      }
      record(entries);
    } finally {
      await nodes.stop();
    }
  } finally {
    await load.stop();
  }
});
